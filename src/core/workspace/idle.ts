import fs from 'node:fs';
import { lstatIfThere, removeIfThere, unlessCode } from '#core/platform';
import { startTimeoutMs } from '../limits.ts';
import type { Workspace } from './paths.ts';

type Marks = Pick<Workspace, 'idle' | 'waking'>;

/** Called by an idle daemon before it stops to answer. */
export function markIdle({ idle, waking }: Marks): void {
  fs.writeFileSync(idle, `${new Date().toISOString()}\n`, { mode: 0o600 });
  removeIfThere(waking);
}

/**
 * Whether the caller must start the daemon that stopped because it was idle: exactly one caller gets true, by a rename.
 * For the others `isComingBack` is true for as long as a start may take.
 */
export function claimReturn({ idle, waking }: Marks): boolean {
  const claim = (): true => {
    const now = new Date();
    fs.utimesSync(idle, now, now);
    fs.renameSync(idle, waking);
    return true;
  };
  return unlessCode(['ENOENT'], claim, false);
}

/** Undoes the claim after a failed start. */
export function returnClaim({ idle, waking }: Marks): void {
  fs.renameSync(waking, idle);
}

/** Whether the daemon stopped only because it was idle, or is being restarted. */
export function isComingBack({ idle, waking }: Marks): boolean {
  if (lstatIfThere(idle) !== null) return true;
  const claimedAt = lstatIfThere(waking)?.mtimeMs ?? 0;
  const age = Date.now() - claimedAt;
  return age >= 0 && age < startTimeoutMs;
}

/** After a stop by the user or a failure: the daemon is not restarted unasked. */
export function forgetIdle({ idle, waking }: Marks): void {
  removeIfThere(idle);
  removeIfThere(waking);
}
