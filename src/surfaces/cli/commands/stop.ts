import { jsonText } from '#core/event';
import { type Stopped, stopDaemon } from '#service/lifecycle';
import { ensureDaemon, workspaceOf } from '../daemon-link.ts';
import { type AddCommand, command } from '../program.ts';

export const stopCommand: AddCommand = (program, io) => {
  command(program, 'stop', "stop this project's daemon", ['memd stop']).action(
    async ({ json }: { json?: boolean }) => {
      const stopped = await stopDaemon(workspaceOf(io));
      io.out(json ? jsonText({ ok: true, ...stopped }) : describe(stopped));
    },
  );
};

export const restartCommand: AddCommand = (program, io) => {
  command(program, 'restart', 'stop the daemon, even if it hangs, and start it again', [
    'memd restart',
  ]).action(async ({ json }: { json?: boolean }) => {
    const workspace = workspaceOf(io);
    const stopped = await stopDaemon(workspace);
    if (!json) io.out(describe(stopped));
    const { pid } = await ensureDaemon(workspace, io);
    io.out(json ? jsonText({ ok: true, stopped, pid }) : `memd is running (pid ${pid})`);
  });
};

function describe({ outcome, pid }: Stopped): string {
  if (outcome === 'not-running') return 'memd is not running';
  if (outcome === 'stopped') return `memd was stopped (pid ${pid})`;
  return `memd did not answer and was ended by a signal (pid ${pid})`;
}
