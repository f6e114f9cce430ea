import { type Loaded, loadConfig } from '#core/config';
import { jsonText } from '#core/event';
import { Failure } from '#core/platform';
import { ensureFolders, type Workspace } from '#core/workspace';
import { Consolidator, type DrainProgress } from '#memory/consolidate';
import { openStore, type Store } from '#memory/store';
import { workspaceOf } from '../daemon-link.ts';
import { reportTo } from '../daemon-log.ts';
import type { Io } from '../io.ts';
import { onStore } from '../own-store.ts';
import { type AddCommand, command, Misused, Unsuccessful, wholeNumber } from '../program.ts';
import { withProgress } from '../progress.ts';

export const drainCommand: AddCommand = (program, io) => {
  command(program, 'drain', 'summarise waiting events now, in this process; prints JSON', [
    'memd drain',
    'memd drain 100',
    'memd drain --refine',
    'memd drain --refine 50',
  ])
    .argument('[N]', 'at most N events (default: all)', wholeNumber(0))
    .option('--refine', 'rewrite summaries of the builtin summariser with a better model, newest first')
    .action(async (limit: number | undefined, options: { refine?: boolean }) => {
      const { result } = await drainHere(workspaceOf(io), limit ?? null, options.refine === true, io);
      io.raw(jsonText(result));
      if (result.firstError !== undefined) throw new Unsuccessful();
    });
};

/** Drains and prints errors. Also works with a running daemon: leases on the rows keep the two drains apart. `waiting`: what is left. */
export async function drainHere(workspace: Workspace, limit: number | null, refine: boolean, io: Io) {
  ensureFolders(workspace);
  const { config, warnings } = settings(workspace, io);
  for (const warning of warnings) io.note(`memd: ${warning}`);
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt);
  const work = async (store: Store) => {
    // Everything that a drain writes can be made again, and the daemon's next commit syncs it: a sync for each batch took a fifth of the time.
    store.connection.exec('PRAGMA synchronous = NORMAL');
    const consolidator = new Consolidator({
      store,
      config,
      env: io.env,
      report: reportTo(workspace.daemonLog),
    });
    try {
      const result = await withProgress(io, 'summarising', (progress) =>
        consolidator[refine ? 'refine' : 'drain'](limit, stop.signal, ({ step, done, total }) =>
          progress.report(stepWords[step][0], done, total, stepWords[step][1]),
        ),
      );
      const hint = consolidator.hint(result.firstError ?? null);
      for (const note of [result.firstError, hint]) if (note) io.note(`memd: ${note}`);
      return { result, waiting: store.stats.counts().raw };
    } finally {
      // Also after a failure: background work still uses the store.
      await consolidator.close();
    }
  };
  try {
    return await onStore(openStore(workspace.database), work);
  } finally {
    process.off('SIGINT', interrupt);
  }
}

/** What a terminal shows of each step, and its unit. */
const stepWords: Readonly<Record<DrainProgress['step'], readonly [string, string]>> = {
  waiting: ['waiting for the daemon to pause its own work', ''],
  summaries: ['summarising', 'events'],
  vectors: ['making vectors', 'memories'],
  links: ['comparing memories', 'memories'],
  digests: ['writing digests', 'sessions'],
};

/** @throws Misused for an unknown backend, like for a wrong N */
function settings(workspace: Workspace, io: Io): Loaded {
  try {
    return loadConfig(workspace.config, io.env);
  } catch (error) {
    if (error instanceof Failure && error.code === 'unknown_backend') throw new Misused(error.message);
    throw error;
  }
}
