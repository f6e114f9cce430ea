import type { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { claimReturn, isComingBack, returnClaim, type Workspace } from '#core/workspace';

/**
 * Runs `memd start` for a daemon that left because it was idle, and does not wait for it. A daemon that the user stopped, or that failed,
 * is not started. Returns whether a start is running, by this call or another. Never throws.
 */
export async function bringBack(workspace: Workspace): Promise<boolean> {
  try {
    if (!isComingBack(workspace)) return false;
    const { default: processes } = await import('node:child_process');
    // No wait between claim and start: the hook may end at any wait.
    if (!claimReturn(workspace)) return isComingBack(workspace);
    if (startDetached(processes.spawn, workspace)) return true;
    returnClaim(workspace);
  } catch {
    // A folder that is not writable, or no more processes: the caller reports that the daemon does not run.
  }
  return false;
}

/** Whether the process was started. */
function startDetached(start: typeof spawn, { root }: Workspace): boolean {
  const child = start(process.execPath, [program(), 'start'], {
    cwd: root,
    detached: true,
    env: daemonEnvironment(),
    stdio: 'ignore',
  });
  // The missing pid shows it.
  child.on('error', () => {});
  child.unref();
  return child.pid !== undefined;
}

/** The script `memd`, in the folder of this hook's script. */
function program(): string {
  return path.join(path.dirname(fs.realpathSync(process.argv[1] ?? '')), 'memd.cjs');
}

/** The environment of a daemon, which outlives the session: without the client's own variables. */
export function daemonEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:ANTHROPIC_|CLAUDE_CODE_)/.test(name));
  return Object.fromEntries(kept);
}
