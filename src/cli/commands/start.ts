import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Workspace } from '../../workspace/index.ts';
import { daemonScript, ensureDaemon, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, Unsuccessful } from '../program.ts';

export const startCommand: AddCommand = (program, io) => {
  command(program, 'start', "start this workspace's daemon in the background", [
    'memd start',
    'memd start --foreground',
  ])
    .option('--foreground', 'stay in this terminal until the daemon ends')
    .option('--json', 'as JSON')
    .action(async (options: { foreground?: boolean; json?: boolean }) => {
      const workspace = workspaceOf(io);
      if (options.foreground) return foreground(workspace, io);
      const { outcome, pid } = await ensureDaemon(workspace, io);
      if (options.json) return io.out(JSON.stringify({ ok: true, outcome, pid }));
      const known = pid === null ? '' : ` (pid ${pid})`;
      io.out(outcome === 'started' ? `memd is running${known}` : `memd is already running${known}`);
    });
};

/** The daemon as this command's child, with its signals. */
async function foreground(workspace: Workspace, io: Io): Promise<void> {
  const args = [fileURLToPath(daemonScript), '--root', workspace.root, '--namespace', workspace.namespace];
  const child = spawn(process.execPath, args, { env: { ...io.env }, stdio: 'inherit' });
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  // The daemon outlives a terminal that is closed, unless it was to stay in it.
  const hangUp = (): void => forward('SIGTERM');
  process.on('SIGINT', forward);
  process.on('SIGTERM', forward);
  process.on('SIGHUP', hangUp);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  process.off('SIGINT', forward);
  process.off('SIGTERM', forward);
  process.off('SIGHUP', hangUp);
  if (code !== 0) throw new Unsuccessful();
}
