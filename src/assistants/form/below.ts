import fs from 'node:fs';
import path from 'node:path';
import { errorCode, messageOf } from '#core/platform';

const placeDepthMax = 8;

/**
 * The paths in a folder, sorted; none when it does not exist. Links count neither as files nor as folders.
 * A folder that cannot be listed adds a line to `unreadable`.
 */
export function listing(folder: string, unreadable: string[] = []) {
  try {
    const entries = fs.readdirSync(folder, { withFileTypes: true });
    const named = (is: (entry: fs.Dirent) => boolean): string[] =>
      entries
        .filter(is)
        .map((entry) => path.join(folder, entry.name))
        .sort();
    return { files: named((one) => one.isFile()), folders: named((one) => one.isDirectory()) };
  } catch (error) {
    // An assistant that was never used has no folder.
    const isMissing = ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
    if (!isMissing) unreadable.push(`${folder} cannot be listed: ${messageOf(error)}`);
    return { files: [], folders: [] };
  }
}

/** The files at any depth whose name matches, except in folders named in `without`. */
export function filesBelow(
  folder: string,
  names: RegExp,
  unreadable: string[],
  without: ReadonlySet<string> = new Set(),
  depth = placeDepthMax,
): string[] {
  const { files, folders } = listing(folder, unreadable);
  const here = files.filter((file) => names.test(path.basename(file)));
  if (depth <= 0) return here;
  const deeper = folders
    .filter((each) => !without.has(path.basename(each)))
    .flatMap((each) => filesBelow(each, names, unreadable, without, depth - 1));
  return [...here, ...deeper];
}

/** When a file was last written; 0 when it is gone. */
export function writtenMs(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** When it was created, where the file system knows; else when it was written. */
export function begunMs(file: string): number {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return Math.min(stat?.birthtimeMs || Number.POSITIVE_INFINITY, stat?.mtimeMs ?? 0);
}

/** Of files that may be a transcript of any client. */
export const transcriptNames =
  /^(?!sessions-index\.json$|.*\.meta\.json(?:\.gz)?$).*\.jsonl?(?:\.gz|\.zst)?$/;

/** Folders next to Claude Code's transcripts that hold long outputs, not records. */
export const notRecords: ReadonlySet<string> = new Set(['tool-results']);
