import fs from 'node:fs';
import { errorCode, Failure } from './failure.ts';

const script = process.argv[1] ?? '';
const atStart = identity(null);

/** Whether the file of this process's program is still the one it was started from. */
export function programState(): 'same' | 'replaced' | 'gone' {
  const now = identity(atStart);
  if (now === atStart) return 'same';
  return now === null ? 'gone' : 'replaced';
}

/**
 * Why this process can load nothing more of its program, or null: an uninstallation has removed it, or an update has put another
 * version in its place, whose parts do not fit those that run. Asked before a thread is started late.
 */
export function programChanged(): Failure | null {
  const state = programState();
  if (state === 'same') return null;
  const what = state === 'gone' ? 'was removed' : 'was replaced by an update';
  return new Failure('unavailable', `the program of this process ${what} while it ran (${script})`, {
    safe: 'what was acknowledged is on the disk',
    repair: state === 'gone' ? 'install memd again, then run: memd restart' : 'run: memd restart',
  });
}

/**
 * Number, size and time of change, which a file keeps while nobody touches it; null when it is not there. `unknown` where that cannot be
 * told: a disk that does not answer for a while has removed nothing.
 */
function identity(unknown: string | null): string | null {
  try {
    const { ino, size, mtimeMs } = fs.statSync(script);
    return `${ino} ${size} ${mtimeMs}`;
  } catch (error) {
    const code = errorCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : unknown;
  }
}
