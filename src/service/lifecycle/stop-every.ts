import { Failure } from '../../core/platform/index.ts';
import { daemonPid, type Workspace } from '../../core/workspace/index.ts';
import { isLocked } from './locked.ts';
import { type Stopped, stopDaemon } from './stop.ts';

/** What became of one daemon of many. */
export interface StoppedOne {
  readonly workspace: Workspace;
  /** `left`: it runs, and could not be ended; `reason` says why. `running`: it was only looked at. */
  readonly outcome: Stopped['outcome'] | 'running' | 'left';
  readonly pid: number | null;
  readonly reason: string | null;
}

/** Ends the daemons of all these workspaces, each as `stopDaemon` does, all at once: one that hangs holds up none of the others. */
export async function stopEvery(workspaces: readonly Workspace[]): Promise<StoppedOne[]> {
  return await Promise.all(
    workspaces.map((workspace) =>
      inWords(workspace, async () => ({ workspace, reason: null, ...(await stopDaemon(workspace)) })),
    ),
  );
}

/** Which of them run. Changes nothing. */
export async function lookAtEvery(workspaces: readonly Workspace[]): Promise<StoppedOne[]> {
  return await Promise.all(
    workspaces.map((workspace) =>
      inWords(workspace, () => {
        const isRunning = isLocked(workspace);
        const pid = isRunning ? daemonPid(workspace) : null;
        return { workspace, outcome: isRunning ? 'running' : 'not-running', pid, reason: null };
      }),
    ),
  );
}

async function inWords(
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
