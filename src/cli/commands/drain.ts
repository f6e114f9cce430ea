import { loadConfig } from '../../config/index.ts';
import { Consolidator } from '../../consolidate/index.ts';
import { openStore } from '../../store/index.ts';
import { ensureFolders, type Workspace } from '../../workspace/index.ts';
import { workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, Unsuccessful, wholeNumber } from '../program.ts';

export const drainCommand: AddCommand = (program, io) => {
  command(program, 'drain', 'summarise raw events now, in this process', ['memd drain', 'memd drain 100'])
    .argument('[N]', 'at most N events (default: all)', wholeNumber(0))
    .action(async (limit: number | undefined) => {
      const result = await drainHere(workspaceOf(io), limit ?? null, io);
      io.out(JSON.stringify(result));
      if (result.firstError === undefined) return;
      io.note(`memd: ${result.firstError}`);
      throw new Unsuccessful();
    });
};

/** Drains beside a running daemon or without one: the rows' leases keep the two apart. */
export async function drainHere(
  workspace: Workspace,
  limit: number | null,
  io: Io,
): Promise<{ processed: number; firstError?: string }> {
  ensureFolders(workspace);
  const { config, warnings } = loadConfig(workspace.config, io.env);
  for (const warning of warnings) io.note(`memd: ${warning}`);
  const store = openStore(workspace.database);
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt);
  try {
    const report = (): void => {};
    const consolidator = new Consolidator({ store, config, env: io.env, report });
    const result = await consolidator.drain(limit, stop.signal);
    await consolidator.close();
    return result;
  } finally {
    process.off('SIGINT', interrupt);
    store.close();
  }
}
