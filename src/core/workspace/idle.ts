import fs from 'node:fs';
import { startTimeoutMs } from '../limits.ts';
import { errorCode, lstatIfThere, removeIfThere } from '../platform/index.ts';
import type { Workspace } from './paths.ts';

type Marks = Pick<Workspace, 'idle' | 'waking'>;

/** The daemon is about to leave because nobody has asked anything of it: said before it stops to answer. */
export function markIdle({ idle, waking }: Marks): void {
  fs.writeFileSync(idle, `${new Date().toISOString()}\n`, { mode: 0o600 });
  removeIfThere(waking);
}

/**
 * The right, and the duty, to start the daemon that left because it was idle: of any number of callers one gets it, by a rename.
 * From then on `isComingBack` tells all others so, for as long as a start may take.
 */
export function claimReturn({ idle, waking }: Marks): boolean {
  try {
    const now = new Date();
    fs.utimesSync(idle, now, now);
    fs.renameSync(idle, waking);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Gives the right back: nothing could be started. */
export function returnClaim({ idle, waking }: Marks): void {
  fs.renameSync(waking, idle);
}

/** Whether the daemon is away, if it is, only because it was idle: it waits to be brought back, or somebody is at it. */
export function isComingBack({ idle, waking }: Marks): boolean {
  if (lstatIfThere(idle) !== null) return true;
  const claimedAt = lstatIfThere(waking)?.mtimeMs ?? 0;
  const age = Date.now() - claimedAt;
  return age >= 0 && age < startTimeoutMs;
}

/** The user has stopped the daemon, or it failed: nobody brings it back unasked. */
export function forgetIdle({ idle, waking }: Marks): void {
  removeIfThere(idle);
  removeIfThere(waking);
}
