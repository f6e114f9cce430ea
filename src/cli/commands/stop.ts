import { stopDaemon } from '../../lifecycle/index.ts';
import { ensureDaemon, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command } from '../program.ts';

export const stopCommand: AddCommand = (program, io) => {
  command(program, 'stop', "stop this workspace's daemon", ['memd stop']).action(() => stop(io));
};

export const restartCommand: AddCommand = (program, io) => {
  command(program, 'restart', 'stop the daemon, also one that hangs, and start it anew', [
    'memd restart',
  ]).action(async () => {
    await stop(io);
    const { pid } = await ensureDaemon(workspaceOf(io), io);
    io.out(`memd is running (pid ${pid})`);
  });
};

async function stop(io: Io): Promise<void> {
  const { outcome, pid } = await stopDaemon(workspaceOf(io));
  if (outcome === 'not-running') io.out('memd is not running');
  else if (outcome === 'stopped') io.out(`memd has stopped (pid ${pid})`);
  else io.out(`memd did not answer and was ended by signal (pid ${pid})`);
}
