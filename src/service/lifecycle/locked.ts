import { isHeld } from '../../core/platform/index.ts';
import type { Workspace } from '../../core/workspace/index.ts';

/** Whether a daemon holds this workspace. */
export function isLocked(workspace: Workspace): boolean {
  return isHeld(workspace.lock);
}
