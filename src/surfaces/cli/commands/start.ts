import { type ChildProcess, fork, type StdioOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { jsonText } from '../../../core/event/index.ts';
import type { Workspace } from '../../../core/workspace/index.ts';
import type { Started, StartMessage } from '../../../service/lifecycle/index.ts';
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
      const isJson = options.json === true;
      if (options.foreground) return foreground(workspace, io, isJson);
      tell(await ensureDaemon(workspace, io), isJson, io);
    });
};

/** The daemon as this command's child, with its signals; told and ended as one in the background where there is one already. */
async function foreground(workspace: Workspace, io: Io, isJson: boolean): Promise<void> {
  const { daemonArguments, notStarted, watchBeginning } = await import('../../../service/lifecycle/index.ts');
  const stdio: StdioOptions = ['inherit', 'inherit', 'inherit', 'ipc'];
  let child: ChildProcess;
  try {
    child = fork(fileURLToPath(daemonScript), daemonArguments(workspace), {
      env: { ...io.env },
      execArgv: [],
      stdio,
    });
  } catch (error) {
    throw notStarted(error);
  }
  const beginning = watchBeginning(child);
  let isStopped = false;
  const forward = (signal: NodeJS.Signals): void => {
    isStopped = true;
    child.kill(signal);
  };
  // The daemon outlives a terminal that is closed, unless it was to stay in it.
  const hangUp = (): void => forward('SIGTERM');
  process.on('SIGINT', forward);
  process.on('SIGTERM', forward);
  process.on('SIGHUP', hangUp);
  let last = 'begun' as StartMessage['kind'];
  child.on('message', (message) => {
    // Only our own daemon speaks on this channel.
    const told = message as StartMessage;
    if (told.kind !== 'waiting') last = told.kind;
    if (told.kind === 'failed' || told.kind === 'waiting') io.note(`memd: ${told.message}`);
    if (told.kind === 'ready') {
      for (const note of told.notes) io.note(`memd: ${note}`);
      tell({ outcome: 'started', pid: told.pid }, isJson, io);
    }
  });
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', (error) => reject(notStarted(error)));
    child.once('close', (...end) => resolve(end));
  });
  process.off('SIGINT', forward);
  process.off('SIGTERM', forward);
  process.off('SIGHUP', hangUp);
  if (last === 'taken') tell(await ensureDaemon(workspace, io), isJson, io);
  else if (last === 'begun' && !isStopped) throw beginning.ended(code, signal, workspace.daemonLog);
  else if (code !== 0) throw new Unsuccessful();
}

function tell({ outcome, pid }: Pick<Started, 'outcome' | 'pid'>, isJson: boolean, io: Io): void {
  const known = pid === null ? '' : ` (pid ${pid})`;
  const words = outcome === 'started' ? 'memd is running' : 'memd is already running';
  io.out(isJson ? jsonText({ ok: true, outcome, pid }) : `${words}${known}`);
}
