import { StateReads, type Store } from '#memory/store';
import type { CommitName } from './git-output.ts';
import type { Standings } from './standing.ts';
import { comparableIn } from './states.ts';

interface CommitsRequest {
  readonly ids: readonly number[];
  readonly path: string;
  readonly budgetMs: number;
}

/** By id of a call that edited the file: the commit that holds the edit, or that no commit has it yet. */
export async function commitsOf(
  { ids, path, budgetMs }: CommitsRequest,
  { store, standings }: { readonly store: Pick<Store, 'connection'>; readonly standings: Standings },
): Promise<ReadonlyMap<number, { readonly commit: CommitName | 'open' }>> {
  const edits = new StateReads(store).stored(ids).flatMap((memory) => {
    const comparable = comparableIn(memory);
    const files = 'kind' in comparable && comparable.kind === 'edit' ? comparable.files : [];
    const alike = files.filter((file) => nameOf(file.path) === nameOf(path));
    // One call may change two files of a name; the folder of a worktree is another.
    const same = alike.filter((file) => `/${file.path.replaceAll('\\', '/')}`.endsWith(`/${path}`));
    const lines = (same.length > 0 ? same : alike).flatMap((file) => file.lines);
    return lines.length === 0 ? [] : [{ id: memory.id, ts: memory.ts, lines }];
  });
  const found = await standings.ofEdits(path, edits, budgetMs);
  return new Map(
    edits.flatMap(({ id }, at) => {
      const commit = found[at] ?? null;
      return commit === null ? [] : [[id, { commit }]];
    }),
  );
}

function nameOf(file: string): string {
  return file.split(/[\\/]/).at(-1) ?? file;
}
