import { Failure } from '../../core/platform/index.ts';
import { daemonPid, type Workspace } from '../../core/workspace/index.ts';
import { isLocked } from './daemon-process.ts';
import { type Stopped, stopDaemon } from './stop.ts';

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
