import { setTimeout as delay } from 'node:timers/promises';
import { pollIntervalMs, stopTimeoutMs } from '#core/limits';
import { Failure, isAlive, nullIfFailure, polled } from '#core/platform';
import { ping, requestOnce } from '#core/rpc';
import { daemonPid, forgetIdle, type Workspace } from '#core/workspace';
import { isDaemonOf, isLocked } from './daemon-process.ts';

const killTimeoutMs = 3_000;

export interface Stopped {
  readonly outcome: 'stopped' | 'killed' | 'not-running';
  readonly pid: number | null;
}

/**
 * Ends the workspace's daemon: first by a request, then by signal if the process is proved to be that daemon. Settles when its process
 * has ended and its lock is free. No hook starts it again.
 * @throws Failure `not_ours` when the holder of the lock is not provably the daemon
 */
export async function stopDaemon(workspace: Workspace): Promise<Stopped> {
  try {
    return await ended(workspace);
  } finally {
    // Also for a daemon that left because it was idle.
    forgetIdle(workspace);
  }
}

async function ended(workspace: Workspace): Promise<Stopped> {
  const deadline = performance.now() + killTimeoutMs;
  let pid: number | null;
  do {
    pid = daemonPid(workspace);
    // A pid file that exists stays: it shows the next start that the last daemon did not end in order.
    if (!isLocked(workspace)) return { outcome: 'not-running', pid: null };
    if ((await ping(workspace.socket)) === 'ok') {
      // It may end before its answer arrives: below it is checked whether it has ended.
      await requestOnce(workspace.socket, { op: 'shutdown' }, { timeoutMs: stopTimeoutMs }).catch(
        nullIfFailure,
      );
      if (await isGone(workspace, pid, stopTimeoutMs)) return { outcome: 'stopped', pid };
    }
    if (pid !== null && isDaemonOf(pid, workspace)) break;
    // A starting or stopping daemon holds the lock without a pid file or socket.
    await delay(pollIntervalMs);
  } while (performance.now() < deadline);
  await endBySignal(workspace, pid);
  // A process counts as ended with its first thread; its lock is free with the last one.
  await isGone(workspace, pid, killTimeoutMs);
  return { outcome: 'killed', pid };
}

/**
 * Ends a process that is proved to be the workspace's daemon: SIGTERM, then SIGKILL.
 * @throws Failure `not_ours` when it is not provably that; `unkillable`
 */
export async function endBySignal(workspace: Workspace, pid: number | null): Promise<void> {
  if (pid === null || !isDaemonOf(pid, workspace))
    throw new Failure('not_ours', `pid ${pid ?? 'unknown'} is not provably the daemon of ${workspace.root}`, {
      safe: 'it was not signalled',
      repair: `find the process that holds ${workspace.lock}, and end it yourself`,
    });
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (isAlive(pid)) process.kill(pid, signal);
    if (await hasGone(pid, killTimeoutMs)) return;
  }
  throw new Failure('unkillable', `pid ${pid} does not end`, {
    repair: 'it may wait for a disk. Try again.',
  });
}

/** Whether a process has ended within the time. */
export function hasGone(pid: number, timeoutMs: number): Promise<boolean> {
  return polled(() => !isAlive(pid), Boolean, timeoutMs);
}

/** Whether process and lock are gone within the time. The lock may belong to the next daemon by then. */
function isGone(workspace: Workspace, pid: number | null, timeoutMs: number): Promise<boolean> {
  const look = (): boolean => {
    const isSucceeded = pid !== null && daemonPid(workspace) !== pid;
    return (isSucceeded || !isLocked(workspace)) && (pid === null || !isAlive(pid));
  };
  return polled(look, Boolean, timeoutMs);
}

export interface StoppedOne {
  readonly workspace: Workspace;
  /** `left`: it runs and did not end; `reason` says why. `running`: it was only checked. */
  readonly outcome: Stopped['outcome'] | 'running' | 'left';
  readonly pid: number | null;
  readonly reason: string | null;
}

/** Ends the daemons of all these workspaces at the same time, each as `stopDaemon` does. */
export function stopEvery(workspaces: readonly Workspace[]): Promise<StoppedOne[]> {
  return ofEach(workspaces, async (workspace) => ({ reason: null, ...(await stopDaemon(workspace)) }));
}

/** Checks which of them run. */
export function lookAtEvery(workspaces: readonly Workspace[]): Promise<StoppedOne[]> {
  return ofEach(workspaces, async (workspace) =>
    isLocked(workspace)
      ? { outcome: 'running', pid: daemonPid(workspace), reason: null }
      : { outcome: 'not-running', pid: null, reason: null },
  );
}

function ofEach(
  workspaces: readonly Workspace[],
  work: (workspace: Workspace) => Promise<Omit<StoppedOne, 'workspace'>>,
): Promise<StoppedOne[]> {
  const oneOf = async (workspace: Workspace): Promise<StoppedOne> => {
    try {
      return { workspace, ...(await work(workspace)) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { workspace, outcome: 'left', pid: daemonPid(workspace), reason: error.message };
    }
  };
  return Promise.all(workspaces.map(oneOf));
}
