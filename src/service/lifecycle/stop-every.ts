import { Failure } from '../../core/platform/index.ts';
import { daemonPid, type Workspace } from '../../core/workspace/index.ts';
import { isLocked } from './locked.ts';
import { type Stopped, stopDaemon } from './stop.ts';

export interface StoppedOne {
  readonly workspace: Workspace;
  /** `left`: it runs and did not end; `reason` says why. `running`: it was only checked. */
  readonly outcome: Stopped['outcome'] | 'running' | 'left';
  readonly pid: number | null;
  readonly reason: string | null;
}

/** Ends the daemons of all these workspaces at the same time, each as `stopDaemon` does. */
export async function stopEvery(workspaces: readonly Workspace[]): Promise<StoppedOne[]> {
  return await Promise.all(
    workspaces.map((workspace) =>
      orReason(workspace, async () => ({ workspace, reason: null, ...(await stopDaemon(workspace)) })),
    ),
  );
}

/** Checks which of them run. */
export async function lookAtEvery(workspaces: readonly Workspace[]): Promise<StoppedOne[]> {
  return await Promise.all(
    workspaces.map((workspace) =>
      orReason(workspace, () => {
        const isRunning = isLocked(workspace);
        const pid = isRunning ? daemonPid(workspace) : null;
        return { workspace, outcome: isRunning ? 'running' : 'not-running', pid, reason: null };
      }),
    ),
  );
}

async function orReason(
  workspace: Workspace,
  work: () => StoppedOne | Promise<StoppedOne>,
): Promise<StoppedOne> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { workspace, outcome: 'left', pid: daemonPid(workspace), reason: error.message };
  }
}
