import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { jsonText } from '#core/event';
import type { Workspace } from '#core/workspace';
import type { Started, StartMessage } from '#service/lifecycle';
import { daemonScript, ensureDaemon, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, Unsuccessful } from '../program.ts';

export const startCommand: AddCommand = (program, io) => {
  command(program, 'start', "start this project's daemon in the background", [
    'memd start',
    'memd start --foreground',
  ])
    .option('--foreground', 'stay in this terminal until the daemon ends')
    .action(async ({ foreground, json = false }: { foreground?: boolean; json?: boolean }) => {
      const workspace = workspaceOf(io);
      if (foreground) return startInForeground(workspace, io, json);
      report(await ensureDaemon(workspace, io), json, io);
    });
};

/** Runs the daemon as a child that gets this command's signals. Ends like `memd start` if a daemon runs already. */
async function startInForeground(workspace: Workspace, io: Io, json: boolean): Promise<void> {
  const { daemonArguments, notStarted, watchBeginning } = await import('#service/lifecycle');
  let child: ChildProcess;
  try {
    child = fork(fileURLToPath(daemonScript), daemonArguments(workspace), {
      env: { ...io.env },
      execArgv: [],
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
  } catch (error) {
    throw notStarted(error);
  }
  const beginning = watchBeginning(child);
  let isStopped = false;
  const forward = (signal: NodeJS.Signals): void => {
    isStopped = true;
    // A daemon ignores the end of its terminal; this one belongs to it.
    child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, forward);
  let last: StartMessage['kind'] = 'begun';
  child.on('message', (raw) => {
    // Only our own daemon writes to this channel.
    const message = raw as StartMessage;
    if (message.kind !== 'waiting') last = message.kind;
    if (message.kind === 'failed' || message.kind === 'waiting') io.note(`memd: ${message.message}`);
    if (message.kind === 'ready') {
      for (const note of message.notes) io.note(`memd: ${note}`);
      report({ outcome: 'started', pid: message.pid }, json, io);
    }
  });
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', (error) => reject(notStarted(error)));
    child.once('close', (...end) => resolve(end));
  });
  for (const one of signals) process.off(one, forward);
  const kind = last as StartMessage['kind'];
  if (kind === 'taken') report(await ensureDaemon(workspace, io), json, io);
  else if (kind === 'begun' && !isStopped) throw beginning.ended(code, signal, workspace.daemonLog);
  else if (code !== 0) throw new Unsuccessful();
}

function report({ outcome, pid }: Pick<Started, 'outcome' | 'pid'>, json: boolean, io: Io): void {
  const known = pid === null ? '' : ` (pid ${pid})`;
  const words = outcome === 'started' ? 'memd is running' : 'memd is already running';
  io.out(json ? jsonText({ ok: true, outcome, pid }) : `${words}${known}`);
}
