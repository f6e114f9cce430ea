import fs from 'node:fs';
import path from 'node:path';
import { orElse } from './failure.ts';

/**
 * A real path as it is spelled on the disk; its last parts may be missing. On Linux it is the path itself. On macOS two names that differ
 * in case alone are one file, and `realpath(3)` has the one that is stored.
 */
export function spelledAsStored(real: string, platform = process.platform): string {
  if (platform === 'linux') return real;
  for (let there = real, below = ''; ; ) {
    try {
      return path.join(fs.realpathSync.native(there), below);
    } catch {
      // A missing path: its parent may exist.
      if (there === path.dirname(there)) return real;
      below = path.join(path.basename(there), below);
      there = path.dirname(there);
    }
  }
}

/** The real path of a folder; that of one which does not exist is its name, as of a removed project. */
export function realOrSame(folder: string): string {
  return orElse(() => fs.realpathSync.native(folder), path.resolve(folder));
}

/** A name for comparison: macOS takes the composed and the decomposed spelling for the same name. */
export function comparableName(name: string, platform = process.platform): string {
  return platform === 'darwin' ? name.normalize('NFC') : name;
}
