import { execFileSync } from 'node:child_process';
import { readIfThere } from '#core/platform';
import { until } from './until.ts';

/** The living processes with `needle` in their command line. */
function processesWith(needle: string): number[] {
  const listing = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,stat=,command='], { encoding: 'utf8' });
  return listing.split('\n').flatMap((line) => {
    const [, pid, stat, command] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || command === undefined || stat?.startsWith('Z')) return [];
    return command.includes(needle) && Number(pid) !== process.pid ? [Number(pid)] : [];
  });
}

/** The daemons whose workspace root lies below `folder` (a real path): their command line names it. */
export function daemonsBelow(folder: string): number[] {
  return processesWith(`--root ${folder}`);
}

/** What still goes on behind hooks that ran in `folder` (a real path) or below. */
export function restOfHooks(folder: string): number[] {
  return processesWith(`--cwd ${folder}`);
}

/** Whether that process is there and no zombie. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    // No such process; another user's cannot be one of ours.
    return false;
  }
  const stat = readIfThere(`/proc/${pid}/stat`);
  return stat === null || !/\) Z /.test(stat);
}

/** Sends `signal` to a process of ours and settles when that process is gone. */
export async function end(pid: number, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (lives(pid)) process.kill(pid, signal);
  await until(`the end of process ${pid}`, () => !lives(pid));
}
