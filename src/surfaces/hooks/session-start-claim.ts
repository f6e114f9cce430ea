import fs from 'node:fs';
import path from 'node:path';
import { restartClaimMs } from '../../core/limits.ts';
import { errorCode, lstatIfThere, removeIfThere } from '../../core/platform/index.ts';
import type { Workspace } from '../../core/workspace/index.ts';

/**
 * The right to restart this workspace's daemon, or null while another session has it: a file that only one session can create. A file
 * that is older than `restartClaimMs` does not count.
 */
export function claimRestart({ folder }: Pick<Workspace, 'folder'>) {
  const file = path.join(folder, 'session-start.claim');
  for (const isLast of [false, true]) {
    try {
      fs.closeSync(fs.openSync(file, 'wx', 0o600));
      return { release: () => removeIfThere(file) };
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      const madeAt = lstatIfThere(file)?.mtimeMs ?? 0;
      // A file's time has parts of a millisecond, so a new one may lie ahead of the clock.
      const age = Math.abs(Date.now() - madeAt);
      if (isLast || age < restartClaimMs) return null;
      removeIfThere(file);
    }
  }
  return null;
}
