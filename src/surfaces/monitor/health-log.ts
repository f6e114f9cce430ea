import fs from 'node:fs';
import { healthBytesMax } from '../../core/limits.ts';
import {
  checkPrivate,
  ensurePrivateFolder,
  Failure,
  lstatIfThere,
  messageOf,
  openToAdd,
  systemRepair,
  withDescriptor,
} from '../../core/platform/index.ts';
import { rotate } from './rotate.ts';

/**
 * `health.ndjson`, shared by several monitors: each line is one short `write` with `O_APPEND`. At `bytesMax` the file is renamed
 * to `health.ndjson.1` and replaces the one of that name.
 */
export class HealthLog {
  readonly #folders: readonly string[];
  readonly #file: string;
  readonly #bytesMax: number;

  /** `folders` above the file must be private, the outermost first; missing ones are created. */
  constructor(folders: readonly string[], file: string, bytesMax = healthBytesMax) {
    this.#folders = folders;
    this.#file = file;
    this.#bytesMax = bytesMax;
  }

  /**
   * Appends one line completely or not at all.
   * @throws Failure `unsafe_folder` / `unsafe_file` (a link, another user's, open to others), `not_written` (a full disk, ...)
   */
  append(line: string): void {
    try {
      for (const folder of this.#folders) ensurePrivateFolder(folder);
      const stat = lstatIfThere(this.#file);
      if (stat !== null) checkPrivate(this.#file, stat, 'file');
      if (stat !== null && stat.size >= this.#bytesMax) rotate(this.#file, this.#bytesMax);
      write(this.#file, line);
    } catch (error) {
      if (error instanceof Failure) throw error;
      const repair = systemRepair(error);
      throw new Failure('not_written', `cannot write ${this.#file}: ${messageOf(error)}`, {
        ...(repair === null ? {} : { repair }),
        cause: error,
      });
    }
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
