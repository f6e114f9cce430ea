import fs from 'node:fs';
import { errorCode, removeIfThere } from '../../core/platform/index.ts';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = fs.constants;

/**
 * Makes a file that holds `bytesMax` or more its own older one, `FILE.1`.
 *
 * Two monitors may find the file full at once, and the slower one would put the faster one's new file in the place of the old.
 * So each takes what is there aside under a name of its own and looks at what it got; a file that is not full goes back.
 */
export function rotate(file: string, bytesMax: number): void {
  const aside = `${file}.${process.pid}.tmp`;
  try {
    fs.renameSync(file, aside);
  } catch (error) {
    // Another one was faster.
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  if (fs.lstatSync(aside).size < bytesMax) {
    giveBack(aside, file);
    return;
  }
  try {
    fs.renameSync(aside, `${file}.1`);
  } catch (error) {
    giveBack(aside, file);
    throw error;
  }
}

/** Puts a file back under its name, or behind what has been begun there meanwhile. */
export function giveBack(aside: string, file: string): void {
  try {
    fs.linkSync(aside, file);
  } catch (error) {
    // There is a new one, or this file system has no links.
    if (!['EEXIST', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP'].includes(errorCode(error) ?? '')) throw error;
    const fd = fs.openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    try {
      fs.writeSync(fd, fs.readFileSync(aside));
    } finally {
      fs.closeSync(fd);
    }
  }
  removeIfThere(aside);
}
