import { type Loaded, loadConfig } from '../../../core/config/index.ts';
import { jsonText } from '../../../core/event/index.ts';
import { Failure } from '../../../core/platform/index.ts';
import { ensureFolders, type Workspace } from '../../../core/workspace/index.ts';
import { Consolidator } from '../../../memory/consolidate/index.ts';
import { openStore, type Store } from '../../../memory/store/index.ts';
import { workspaceOf } from '../daemon-link.ts';
import { reportTo } from '../daemon-log.ts';
import type { Io } from '../io.ts';
import { onStore } from '../own-store.ts';
import { type AddCommand, command, Misused, Unsuccessful, wholeNumber } from '../program.ts';

export const drainCommand: AddCommand = (program, io) => {
  command(program, 'drain', 'summarise raw events now, in this process', [
    'memd drain',
    'memd drain 100',
    'memd drain --refine',
    'memd drain --refine 50',
  ])
    .argument('[N]', 'at most N events (default: all)', wholeNumber(0))
    .option('--refine', 'have a better model rewrite what the builtin summariser wrote, newest first')
    .option('--json', 'as JSON: as without it')
    .action(async (limit: number | undefined, options: { refine?: boolean }) => {
      const refine = options.refine === true;
      const { result, hint } = await consolidateHere(workspaceOf(io), limit ?? null, refine, io);
      io.out(jsonText(result));
      if (result.firstError !== undefined) io.note(`memd: ${result.firstError}`);
      if (hint !== null) io.note(`memd: ${hint}`);
      if (result.firstError !== undefined) throw new Unsuccessful();
    });
};

/** Drains beside a running daemon or without one: the rows' leases keep the two apart. */
export async function drainHere(
  workspace: Workspace,
  limit: number | null,
  io: Io,
): Promise<{ processed: number; firstError?: string }> {
  const { result, hint } = await consolidateHere(workspace, limit, false, io);
  if (hint !== null) io.note(`memd: ${hint}`);
  return result;
}

interface Here {
  readonly result: { readonly processed: number; readonly firstError?: string };
  /** What to do about its error, or about the better backend it did without. */
  readonly hint: string | null;
}

async function consolidateHere(
  workspace: Workspace,
  limit: number | null,
  refine: boolean,
  io: Io,
): Promise<Here> {
  ensureFolders(workspace);
  const { config, warnings } = settings(workspace, io);
  for (const warning of warnings) io.note(`memd: ${warning}`);
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt);
  const work = async (store: Store): Promise<Here> => {
    const report = reportTo(workspace.daemonLog);
    const consolidator = new Consolidator({ store, config, env: io.env, report });
    try {
      const result = await (refine
        ? consolidator.refine(limit, stop.signal)
        : consolidator.drain(limit, stop.signal));
      return { result, hint: consolidator.hint(result.firstError ?? null) };
    } finally {
      // Also after a failure: what goes on in the background needs the store.
      await consolidator.close();
    }
  };
  try {
    return await onStore(openStore(workspace.database), work);
  } finally {
    process.off('SIGINT', interrupt);
  }
}

/** @throws Misused for a backend that there is not: like a wrong N, it is a call that was not understood */
function settings(workspace: Workspace, io: Io): Loaded {
  try {
    return loadConfig(workspace.config, io.env);
  } catch (error) {
    if (error instanceof Failure && error.code === 'unknown_backend') throw new Misused(error.message);
    throw error;
  }
}
