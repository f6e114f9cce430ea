import fs from 'node:fs';
import { addTo, errorCode, removeIfThere } from '../../core/platform/index.ts';

/**
 * Renames a full file to `FILE.1`. Two monitors may do so in the same moment, and the slower one would replace the old file with
 * the new one. So each first renames the file to a name of its own and restores it if it is not full.
 */
export function rotate(file: string, bytesMax: number): void {
  const aside = `${file}.${process.pid}.tmp`;
  try {
    fs.renameSync(file, aside);
  } catch (error) {
    // Another monitor was faster.
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  if (fs.lstatSync(aside).size < bytesMax) {
    restore(aside, file);
    return;
  }
  try {
    fs.renameSync(aside, `${file}.1`);
  } catch (error) {
    restore(aside, file);
    throw error;
  }
}

/** Renames a file back, or appends it to the file that was created meanwhile. */
export function restore(aside: string, file: string): void {
  try {
    fs.linkSync(aside, file);
  } catch (error) {
    // A new file exists, or the file system has no links.
    if (!['EEXIST', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP'].includes(errorCode(error) ?? '')) throw error;
    addTo(file, fs.readFileSync(aside, 'utf8'));
  }
  removeIfThere(aside);
}
