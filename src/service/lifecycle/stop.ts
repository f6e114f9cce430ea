import { pollIntervalMs, stopTimeoutMs } from '../../core/limits.ts';
import { Failure, isAlive } from '../../core/platform/index.ts';
import { ping, requestOnce } from '../../core/rpc/index.ts';
import { daemonPid, forgetIdle, type Workspace } from '../../core/workspace/index.ts';
import { isDaemonOf } from './daemon-process.ts';
import { delay } from './delay.ts';
import { isLocked } from './locked.ts';

const killTimeoutMs = 3_000;

export interface Stopped {
  readonly outcome: 'stopped' | 'killed' | 'not-running';
  readonly pid: number | null;
}

/**
 * Ends the workspace's daemon: asked first, then by signal when it is proved to be ours and does not go.
 * Settles when its process and its lock are gone; nobody brings it back unasked.
 * @throws Failure `not_ours` when what holds the workspace cannot be proved to be its daemon
 */
export async function stopDaemon(workspace: Workspace): Promise<Stopped> {
  try {
    return await ended(workspace);
  } finally {
    // Also one that has left by itself before, or is leaving now, stays away.
    forgetIdle(workspace);
  }
}

async function ended(workspace: Workspace): Promise<Stopped> {
  const deadline = performance.now() + killTimeoutMs;
  let pid: number | null;
  do {
    pid = daemonPid(workspace);
    // A pid file that is there nevertheless stays: by it the next start knows that the last daemon did not end in order.
    if (!isLocked(workspace)) return { outcome: 'not-running', pid: null };
    if ((await ping(workspace.socket)) === 'ok') {
      await askToStop(workspace);
      if (await isGone(workspace, pid, stopTimeoutMs)) return { outcome: 'stopped', pid };
    }
    if (pid !== null && isDaemonOf(pid, workspace)) break;
    // One that is just starting holds the lock before it has written its number and listens; one that ends, after.
    await delay(pollIntervalMs);
  } while (performance.now() < deadline);
  await endBySignal(workspace, pid);
  // A process counts as gone with its first thread; the lock goes with the last one.
  await isGone(workspace, pid, killTimeoutMs);
  return { outcome: 'killed', pid };
}

/**
 * Ends a process that is proved to be the workspace's daemon, politely first.
 * @throws Failure `not_ours` when it is not provably that; `unkillable`
 */
export async function endBySignal(workspace: Workspace, pid: number | null): Promise<void> {
  if (pid === null || !isDaemonOf(pid, workspace)) {
    throw new Failure('not_ours', `pid ${pid ?? 'unknown'} is not provably the daemon of ${workspace.root}`, {
      safe: 'it was not signalled',
      repair: `look at what holds ${workspace.lock}, and end it yourself`,
    });
  }
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (isAlive(pid)) process.kill(pid, signal);
    if (await hasGone(pid, killTimeoutMs)) return;
  }
  throw new Failure('unkillable', `pid ${pid} does not end`, { repair: 'it may wait for a disk; try again' });
}

/** Whether a process has ended within the time. */
export async function hasGone(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    if (!isAlive(pid)) return true;
    await delay(pollIntervalMs);
  }
  return false;
}

async function askToStop(workspace: Workspace): Promise<void> {
  try {
    await requestOnce(workspace.socket, { op: 'shutdown' }, { timeoutMs: stopTimeoutMs });
  } catch (error) {
    // It may go so fast that its answer is lost; whether it has gone is looked at next.
    if (!(error instanceof Failure)) throw error;
  }
}

/** Its process and its lock; the lock may be that of another by then, whom somebody has started. */
async function isGone(workspace: Workspace, pid: number | null, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    const isSucceeded = pid !== null && daemonPid(workspace) !== pid;
    if ((isSucceeded || !isLocked(workspace)) && (pid === null || !isAlive(pid))) return true;
    await delay(pollIntervalMs);
  }
  return false;
}
