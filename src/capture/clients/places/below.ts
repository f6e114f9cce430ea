import fs from 'node:fs';
import path from 'node:path';
import { errorCode, messageOf } from '../../../core/platform/index.ts';

const placeDepthMax = 8;

/** The entries of a folder, sorted by name; none when there is no such folder. Links are neither files nor folders here. */
export interface Listing {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** Why it could not be listed. */
  readonly failure: string | null;
}

export function listing(folder: string): Listing {
  try {
    const entries = fs.readdirSync(folder, { withFileTypes: true });
    const named = (is: (entry: fs.Dirent) => boolean): string[] =>
      entries
        .filter(is)
        .map((entry) => path.join(folder, entry.name))
        .sort();
    return { files: named((one) => one.isFile()), folders: named((one) => one.isDirectory()), failure: null };
  } catch (error) {
    // An assistant that was never used has no folder; a file where a folder belongs holds no transcripts either.
    const isNone = ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
    return {
      files: [],
      folders: [],
      failure: isNone ? null : `${folder} cannot be listed: ${messageOf(error)}`,
    };
  }
}

/** The files below a folder whose name fits, in all depths but without the folders of the names in `without`. */
export function filesBelow(
  folder: string,
  fits: (name: string) => boolean,
  unreadable: string[],
  without: ReadonlySet<string> = new Set(),
  depth = placeDepthMax,
): string[] {
  const { files, folders, failure } = listing(folder);
  if (failure !== null) unreadable.push(failure);
  const here = files.filter((file) => fits(path.basename(file)));
  if (depth <= 0) return here;
  const deeper = folders
    .filter((each) => !without.has(path.basename(each)))
    .flatMap((each) => filesBelow(each, fits, unreadable, without, depth - 1));
  return [...here, ...deeper];
}

/** When a file was last written; 0 when it is gone meanwhile. */
export function writtenMs(file: string): number {
  try {
    return fs.statSync(file).mtimeMs;
  } catch {
    // Reading it will tell why.
    return 0;
  }
}
