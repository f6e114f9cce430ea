import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { errorCode, orElse, unlessCode } from './failure.ts';
import { readIfThere } from './files.ts';

/** Whether a process of that number exists; a zombie does not count where there is proc(5). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
  return !/\) Z /.test(statOf(pid) ?? '');
}

/** Null when it has ended, and on macOS. */
function statOf(pid: number): string | null {
  // ESRCH: it ended between the opening and the reading (proc(5)).
  return unlessCode(['ESRCH'], () => readIfThere(`/proc/${pid}/stat`), null);
}

/** The command line of a process, arguments separated by spaces, or null when it is unknown: from proc(5), on macOS from ps(1). */
export function commandLine(pid: number, platform = process.platform): string | null {
  // No such process, or no permission.
  return orElse(() => {
    if (platform === 'linux')
      return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  }, null);
}
