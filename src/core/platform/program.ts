import fs from 'node:fs';
import { errorCode, Failure } from './failure.ts';

const script = process.argv[1] ?? '';
const atStart = identity(null);

/** Whether the file of this process's program is still the started one. */
export function programState(): 'same' | 'replaced' | 'gone' {
  const now = identity(atStart);
  if (now === atStart) return 'same';
  return now === null ? 'gone' : 'replaced';
}

/** Why this process cannot load more of its program, or null: an uninstallation removed it, or an update replaced it. */
export function programChanged(): Failure | null {
  const state = programState();
  if (state === 'same') return null;
  const what = state === 'gone' ? 'was removed' : 'was replaced by an update';
  return new Failure('unavailable', `the program of this process ${what} while it ran (${script})`, {
    safe: 'what was acknowledged is on the disk',
    repair: state === 'gone' ? 'install memd again, then run `memd restart`' : 'run `memd restart`',
  });
}

/** Inode, size and time of change; null when the file does not exist, `unknown` when the disk does not answer. */
function identity(unknown: string | null): string | null {
  try {
    const { ino, size, mtimeMs } = fs.statSync(script);
    return `${ino} ${size} ${mtimeMs}`;
  } catch (error) {
    const code = errorCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : unknown;
  }
}
