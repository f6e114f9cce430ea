import fs from 'node:fs';
import { healthBytesMax } from '../../core/limits.ts';
import {
  checkPrivate,
  ensurePrivateFolder,
  Failure,
  lstatIfThere,
  messageOf,
  systemRepair,
} from '../../core/platform/index.ts';
import { rotate } from './rotate.ts';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = fs.constants;

/**
 * `health.ndjson`, shared by several monitors: each line is one short `write` with `O_APPEND`. At `bytesMax` the file is renamed
 * to `health.ndjson.1` and replaces the one of that name.
 */
export class HealthLog {
  readonly #folders: readonly string[];
  readonly #file: string;
  readonly #bytesMax: number;
  /** Whether the file may end within a line: after a power loss, or a write that did not fit. */
  #mayBeTorn = true;

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
      write(this.#file, line, this.#mayBeTorn);
      this.#mayBeTorn = false;
    } catch (error) {
      this.#mayBeTorn = true;
      if (error instanceof Failure) throw error;
      const repair = systemRepair(error);
      throw new Failure('not_written', `cannot write ${this.#file}: ${messageOf(error)}`, {
        ...(repair === null ? {} : { repair }),
        cause: error,
      });
    }
  }
}

function write(file: string, line: string, mayBeTorn: boolean): void {
  const isNew = lstatIfThere(file) === null;
  // Neither follows a link nor waits for a pipe that was just created there.
  const fd = fs.openSync(file, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    if (isNew) fs.fchmodSync(fd, 0o600);
    const stat = fs.fstatSync(fd);
    checkPrivate(file, stat, 'file');
    const bytes = Buffer.from(`${mayBeTorn && endsInLine(fd, stat.size) ? '\n' : ''}${line}\n`);
    const written = fs.writeSync(fd, bytes);
    if (written === bytes.length) return;
    // Removes the part that did fit, unless another monitor has written after it.
    if (fs.fstatSync(fd).size === stat.size + written) fs.ftruncateSync(fd, stat.size);
    throw new Error(`only ${written} of ${bytes.length} bytes were written`);
  } finally {
    fs.closeSync(fd);
  }
}

function endsInLine(fd: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size > 0 && fs.readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
}
