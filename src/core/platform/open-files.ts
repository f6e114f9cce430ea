import fs from 'node:fs';
import { errorCode } from './failure.ts';
import { readIfThere } from './files.ts';

// All connections of the socket and the page, with threads and files, need less.
const plentifulFiles = 1_024;

let max: number | undefined;

/** How many files and connections this process may have open: RLIMIT_NOFILE, which Node.js raises to its hard limit. */
export function openFilesMax(): number {
  max ??= ofProc() ?? ofReport();
  return max;
}

/** How many more it may open now; not counted where the limit is high. */
export function openFilesLeft(): number {
  if (openFilesMax() >= plentifulFiles) return Number.POSITIVE_INFINITY;
  try {
    // On macOS too, these are the process's own. The listing itself takes one.
    return openFilesMax() - (fs.readdirSync('/dev/fd').length - 1);
  } catch (error) {
    return errorCode(error) === 'EMFILE' ? 0 : Number.POSITIVE_INFINITY;
  }
}

/** From proc(5), which macOS does not have: a report takes 5 ms. */
function ofProc(): number | null {
  const found = /^Max open files +(\d+)/m.exec(readIfThere('/proc/self/limits') ?? '');
  return found === null ? null : Number(found[1]);
}

/** The report has a number or `unlimited` (https://nodejs.org/api/report.html). */
function ofReport(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isNaN(soft) ? Number.POSITIVE_INFINITY : soft;
}
