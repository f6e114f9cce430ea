import type { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { claimReturn, isComingBack, returnClaim, type Workspace } from '../../core/workspace/index.ts';
import { daemonEnvironment } from './daemon-environment.ts';

/**
 * Has `memd start` bring back a daemon that left because it was idle, and does not wait for it. One that the user stopped, or that
 * failed, is left alone. Whether it is coming back, by this call or by another's. Throws nothing.
 */
export async function bringBack(workspace: Workspace): Promise<boolean> {
  try {
    if (!isComingBack(workspace)) return false;
    const { default: processes } = await import('node:child_process');
    // From the claim to the start nothing is waited for: a hook ends when its time is up, wherever it is.
    if (!claimReturn(workspace)) return isComingBack(workspace);
    if (startDetached(processes.spawn, workspace)) return true;
    returnClaim(workspace);
  } catch {
    // A folder that cannot be written, or no more processes: what needs the daemon says that it is away.
  }
  return false;
}

/** Whether the process is there; what becomes of it is not waited for. */
function startDetached(start: typeof spawn, { root }: Workspace): boolean {
  const child = start(process.execPath, [program(), 'start'], {
    cwd: root,
    detached: true,
    env: daemonEnvironment(),
    stdio: 'ignore',
  });
  // Told by the missing pid already.
  child.on('error', () => {});
  child.unref();
  return child.pid !== undefined;
}

/** The script `memd`, beside this hook's own. */
function program(): string {
  return path.join(path.dirname(fs.realpathSync(process.argv[1] ?? '')), 'memd.cjs');
}
