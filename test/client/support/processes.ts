import { execFileSync } from 'node:child_process';
import { end } from '../../support/processes.ts';

export interface Process {
  readonly pid: number;
  /** Its command line, and after that its environment where the system shows it. */
  readonly command: string;
}

/** Room for the environments of all processes of a machine, in bytes. */
const listingBytesMax = 64 * 1024 * 1024;

/** The living processes that have the folder in their command line or environment: all that a temporary HOME has brought forth. */
export function processesOf(folder: string): Process[] {
  const listing = execFileSync('ps', ['axeww', '-o', 'pid=,stat=,command='], {
    encoding: 'utf8',
    maxBuffer: listingBytesMax,
  });
  return listing.split('\n').flatMap((line) => {
    const [, pid, stat, command] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || command === undefined || stat?.startsWith('Z')) return [];
    return command.includes(folder) && Number(pid) !== process.pid ? [{ pid: Number(pid), command }] : [];
  });
}

/** Ends whatever a temporary HOME has brought forth, each by its pid. */
export async function endProcessesOf(folder: string): Promise<void> {
  for (const { pid } of processesOf(folder)) await end(pid);
}
