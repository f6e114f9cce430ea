import path from 'node:path';
import { jsonText } from '../../../core/event/index.ts';
import { removalTimeoutMs } from '../../../core/limits.ts';
import { Failure, lstatIfThere, takeLock } from '../../../core/platform/index.ts';
import { ping } from '../../../core/rpc/index.ts';
import { ensureFolders, type Workspace } from '../../../core/workspace/index.ts';
import { Archive, importAll } from '../../../memory/archive/index.ts';
import { openStore } from '../../../memory/store/index.ts';
import { type ImportReply, readArchive } from '../archive-replies.ts';
import { ask, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { onStore } from '../own-store.ts';
import { type AddCommand, command, Unsuccessful } from '../program.ts';
import { count, plural } from '../words.ts';

interface Request {
  readonly file: string;
  readonly forgotten: boolean;
}

export const importCommand: AddCommand = (program, io) => {
  command(program, 'import', 'take in a file that `mem export` or `mem prune` has written', [
    'mem import memories.ndjson',
    'mem import ~/.memd/default/workspaces/app-0123456789ab/restore-20260131T120000.000Z.ndjson',
  ])
    .argument('<FILE>', 'the file')
    .option('--forgotten', 'also what was forgotten or pruned here since it was written')
    .option('--json', 'as JSON')
    .action(
      async (file: string, { forgotten = false, json = false }: { forgotten?: boolean; json?: boolean }) => {
        const workspace = workspaceOf(io);
        const request = { file: path.resolve(io.cwd, file), forgotten };
        const told = (bytes: number, bytesTotal: number): void =>
          io.progress(`taking in: ${Math.floor((100 * bytes) / Math.max(bytesTotal, 1))} %`);
        const isAbsent = (await ping(workspace.socket)) === 'absent';
        const took = await (isAbsent
          ? importHere(workspace, request, told, io)
          : importThere(workspace, request, told)
        ).finally(() => io.progress(''));
        io.out(json ? jsonText({ ok: true, ...took }, 2) : describe(took));
        for (const { line, reason } of took.badLines) io.note(`mem: line ${line} was passed over: ${reason}`);
        const more = took.bad - took.badLines.length;
        if (more > 0) io.note(`mem: ${plural(more, 'further line')} passed over`);
        if (took.bad > 0 && rowsOf(took) + took.noted + took.known + took.stayed + took.forgotten === 0)
          throw new Unsuccessful();
      },
    );
};

/** The daemon takes it in; each of its words on the way starts the waiting time anew. */
async function importThere(
  workspace: Workspace,
  request: Request,
  told: (bytes: number, bytesTotal: number) => void,
): Promise<ImportReply> {
  const interim = (fields: unknown): void => {
    const { bytes, bytesTotal } = readArchive('importProgress', fields).progress;
    told(bytes, bytesTotal);
  };
  const reply = await ask(workspace, { op: 'import', ...request }, { timeoutMs: removalTimeoutMs, interim });
  return readArchive('import', reply);
}

/** Without a daemon, in its place: under its lock, so that none starts meanwhile. */
async function importHere(
  workspace: Workspace,
  request: Request,
  told: (bytes: number, bytesTotal: number) => void,
  io: Io,
): Promise<ImportReply> {
  ensureFolders(workspace);
  const lock = takeLock(workspace.lock);
  if (lock === null) {
    throw new Failure('busy', 'the daemon of this workspace is starting or ending', {
      safe: 'nothing was taken in',
      repair: 'run the import again in a moment',
    });
  }
  try {
    // A pid file without a daemon: the last one did not end in order.
    const store = openStore(workspace.database, {
      repair: true,
      suspect: lstatIfThere(workspace.pid) !== null,
    });
    return await onStore(store, async () => {
      if (store.repaired !== null)
        io.note(`mem: the database was damaged and is set aside as ${store.repaired.aside}`);
      const archive = new Archive(store, workspace.folder);
      return readArchive('import', await importAll(request, (step) => archive.importPart(step), told));
    });
  } finally {
    lock.release();
  }
}

/** The result in words. */
export function describe(took: ImportReply): string {
  const parts = (['events', 'summaries', 'edges', 'prompts', 'digests'] as const)
    .filter((name) => took[name] > 0)
    .map((name) => `${count(took[name])} ${nounFor(name, took[name])}`);
  const left = [
    took.noted > 0 ? `${count(took.noted)} that were forgotten or pruned there will stay away` : '',
    took.stayed > 0 ? `${count(took.stayed)} that were forgotten or pruned there are here and stay` : '',
    took.known > 0 ? `${count(took.known)} known already` : '',
    took.forgotten > 0
      ? `${count(took.forgotten)} left out that were forgotten or pruned here (--forgotten takes them in)`
      : '',
    took.loose > 0 ? `${count(took.loose)} left out whose event is not there` : '',
    took.redacted > 0 ? `${count(took.redacted)} redacted` : '',
  ].filter(Boolean);
  return [`${parts.length > 0 ? parts.join(', ') : 'nothing new'} taken in`, ...left].join('; ');
}

function rowsOf({ events, summaries, edges, prompts, digests }: ImportReply): number {
  return events + summaries + edges + prompts + digests;
}

function nounFor(name: string, value: number): string {
  if (value !== 1) return name;
  return name === 'summaries' ? 'summary' : name.slice(0, -1);
}
