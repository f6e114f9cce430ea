import { lstatIfThere, takeLock } from '../platform/index.ts';
import type { Workspace } from '../workspace/index.ts';

/** Whether a daemon holds this workspace. */
export function isLocked(workspace: Workspace): boolean {
  if (lstatIfThere(workspace.lock) === null) return false;
  const lock = takeLock(workspace.lock);
  lock?.release();
  return lock === null;
}
