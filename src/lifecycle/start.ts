import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { pollIntervalMs, startTimeoutMs } from '../limits.ts';
import { Failure, readIfThere } from '../platform/index.ts';
import { ping } from '../rpc/index.ts';
import { type Environment, ensureFolders, type Workspace } from '../workspace/index.ts';
import { delay } from './delay.ts';
import { isLocked } from './locked.ts';
import type { StartMessage } from './start-message.ts';

export interface Started {
  readonly outcome: 'started' | 'running';
  readonly pid: number | null;
  /** What the user should know: a stale socket that was removed, an unknown setting. */
  readonly notes: readonly string[];
}

/**
 * Makes sure that a daemon answers for this workspace, starting one detached when none does. Any number of
 * callers at once end with one daemon: the losers of the race wait until the winner answers.
 * @throws Failure with cause and repair
 */
export async function startDaemon(workspace: Workspace, env: Environment, script: URL): Promise<Started> {
  ensureFolders(workspace);
  if ((await ping(workspace.socket)) === 'ok') return running(workspace);
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    const message = await spawnDaemon(workspace, env, script);
    switch (message.kind) {
      case 'ready':
        return { outcome: 'started', pid: message.pid, notes: message.notes };
      case 'failed':
        throw new Failure(message.code, message.message);
      case 'taken':
        if (await winnerAnswers(workspace, deadline)) return running(workspace);
      // It was on its way out, or failed itself: the place is free, and the next try tells why.
    }
  }
}

function running(workspace: Workspace): Started {
  return { outcome: 'running', pid: daemonPid(workspace), notes: [] };
}

/** The pid in `run.pid`, or null; whether that process lives and is the daemon is another question. */
export function daemonPid(workspace: Workspace): number | null {
  const pid = Number(readIfThere(workspace.pid)?.trim());
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

/** Runs the daemon in a session of its own, its working directory its own folder, and waits for its first word. */
function spawnDaemon(workspace: Workspace, env: Environment, script: URL): Promise<StartMessage> {
  const args = ['--root', workspace.root, '--namespace', workspace.namespace];
  const child = fork(fileURLToPath(script), args, {
    cwd: workspace.folder,
    detached: true,
    env: { ...env },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return new Promise<StartMessage>((resolve, reject) => {
    let told: StartMessage | null = null;
    const settle = (code: string, what: string): void => {
      clearTimeout(timer);
      const repair = `its log says why: ${workspace.daemonLog}`;
      if (told === null) reject(new Failure(code, what, { safe: 'nothing is lost', repair }));
      else resolve(told);
    };
    const timer = setTimeout(() => {
      settle('start_timeout', `the daemon (pid ${child.pid}) did not say that it is ready in time`);
    }, startTimeoutMs);
    child.once('message', (message) => {
      // Only our own daemon speaks on this channel.
      told = message as StartMessage;
      // One that does not stay is waited for: who is told that nothing was started finds nothing running.
      if (told.kind === 'ready') settle('', '');
    });
    child.once('error', reject);
    // Not `exit`: that may come before the last message has been read.
    child.once('close', (code, signal) => {
      settle('start_failed', `the daemon ended at its start (${signal ?? `exit ${code}`})`);
    });
  }).finally(() => {
    if (child.connected) child.disconnect();
    child.removeAllListeners();
    child.unref();
  });
}

/**
 * True when the lock's holder answers, false when it has gone.
 * @throws Failure `hung` when it does neither
 */
async function winnerAnswers(workspace: Workspace, deadline: number): Promise<boolean> {
  let silences = 0;
  while (performance.now() < deadline) {
    const health = await ping(workspace.socket);
    if (health === 'ok') return true;
    if (!isLocked(workspace)) return false;
    // One that is ending may hang up once without an answer; one that hangs stays silent.
    silences = health === 'silent' ? silences + 1 : 0;
    if (silences === 2) break;
    await delay(pollIntervalMs);
  }
  const pid = daemonPid(workspace) ?? 'unknown';
  throw new Failure(
    'hung',
    `socket path in use ${workspace.socket} (pid ${pid}): the daemon lives but does not answer`,
    {
      safe: 'what it has acknowledged is on the disk',
      repair: '`memd restart` ends it and starts anew',
    },
  );
}
