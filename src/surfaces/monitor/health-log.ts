import fs from 'node:fs';
import { healthBytesMax } from '#core/limits';
import {
  addTo,
  checkPrivate,
  ensurePrivateFolder,
  errorCode,
  Failure,
  lstatIfThere,
  messageOf,
  openToAdd,
  removeIfThere,
  systemRepair,
  withDescriptor,
} from '#core/platform';

/**
 * Appends one line to `health.ndjson` completely or not at all: several monitors share it, and each line is one short `write` with
 * `O_APPEND`. At `bytesMax` the file is renamed to `health.ndjson.1` and replaces the one of that name. `folders` above the file
 * must be private, the outermost first; missing ones are created.
 * @throws Failure `unsafe_folder` / `unsafe_file` (a link, another user's, open to others), `not_written` (a full disk, ...)
 */
export function appendHealth(
  folders: readonly string[],
  file: string,
  line: string,
  bytesMax = healthBytesMax,
): void {
  try {
    for (const folder of folders) ensurePrivateFolder(folder);
    const stat = lstatIfThere(file);
    if (stat !== null) checkPrivate(file, stat, 'file');
    if (stat !== null && stat.size >= bytesMax) rotate(file, bytesMax);
    write(file, line);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const repair = systemRepair(error);
    throw new Failure('not_written', `cannot write ${file}: ${messageOf(error)}`, {
      ...(repair === null ? {} : { repair }),
      cause: error,
    });
  }
}

function write(file: string, line: string): void {
  withDescriptor(openToAdd(file), (fd) => {
    const stat = fs.fstatSync(fd);
    checkPrivate(file, stat, 'file');
    const bytes = Buffer.from(`${endsInLine(fd, stat.size) ? '\n' : ''}${line}\n`);
    const written = fs.writeSync(fd, bytes);
    if (written === bytes.length) return;
    // Removes the part that did fit, unless another monitor has written after it.
    if (fs.fstatSync(fd).size === stat.size + written) fs.ftruncateSync(fd, stat.size);
    throw new Error(`only ${written} of ${bytes.length} bytes were written`);
  });
}

/** After a power loss, or a write that did not fit. */
function endsInLine(fd: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size > 0 && fs.readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
}

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
