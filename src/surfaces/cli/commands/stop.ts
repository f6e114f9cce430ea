import { jsonText } from '../../../core/event/index.ts';
import { type Stopped, stopDaemon } from '../../../service/lifecycle/index.ts';
import { ensureDaemon, workspaceOf } from '../daemon-link.ts';
import { type AddCommand, command } from '../program.ts';

interface Options {
  readonly json?: boolean;
}

export const stopCommand: AddCommand = (program, io) => {
  command(program, 'stop', "stop this workspace's daemon", ['memd stop'])
    .option('--json', 'as JSON')
    .action(async ({ json = false }: Options) => {
      const stopped = await stopDaemon(workspaceOf(io));
      io.out(json ? jsonText({ ok: true, ...stopped }) : describe(stopped));
    });
};

export const restartCommand: AddCommand = (program, io) => {
  command(program, 'restart', 'stop the daemon, also one that hangs, and start it anew', ['memd restart'])
    .option('--json', 'as JSON')
    .action(async ({ json = false }: Options) => {
      const workspace = workspaceOf(io);
      const stopped = await stopDaemon(workspace);
      if (!json) io.out(describe(stopped));
      const { pid } = await ensureDaemon(workspace, io);
      io.out(json ? jsonText({ ok: true, stopped, pid }) : `memd is running (pid ${pid})`);
    });
};

function describe({ outcome, pid }: Stopped): string {
  if (outcome === 'not-running') return 'memd is not running';
  if (outcome === 'stopped') return `memd has stopped (pid ${pid})`;
  return `memd did not answer and was ended by signal (pid ${pid})`;
}
