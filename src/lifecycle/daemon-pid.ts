import { readIfThere } from '../platform/index.ts';
import type { Workspace } from '../workspace/index.ts';

/** The pid in `run.pid`, or null; whether that process lives and is the daemon is another question. */
export function daemonPid(workspace: Workspace): number | null {
  const pid = Number(readIfThere(workspace.pid)?.trim());
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}
