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
 * `health.ndjson`, to which several monitors append at once: a line is one `write` to a file opened with `O_APPEND`, far below a
 * page. At `bytesMax` the file becomes `health.ndjson.1`, in the place of the one before.
 */
export class HealthLog {
  readonly #folders: readonly string[];
  readonly #file: string;
  readonly #bytesMax: number;
  /** Whether the file may end within a line: a power loss, or a write of ours that did not fit. */
  #mayBeTorn = true;

  /** `folders` are those above the file that must be private, from the outermost in; missing ones are made. */
  constructor(folders: readonly string[], file: string, bytesMax = healthBytesMax) {
    this.#folders = folders;
    this.#file = file;
    this.#bytesMax = bytesMax;
  }

  /**
   * Appends one line, whole or not at all.
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
      throw new Failure('not_written', `${this.#file} cannot be written: ${messageOf(error)}`, {
        ...(repair === null ? {} : { repair }),
        cause: error,
      });
    }
  }
}

function write(file: string, line: string, mayBeTorn: boolean): void {
  const isNew = lstatIfThere(file) === null;
  // Neither a link nor a pipe that has come in between is followed or waited for.
  const fd = fs.openSync(file, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    if (isNew) fs.fchmodSync(fd, 0o600);
    const stat = fs.fstatSync(fd);
    checkPrivate(file, stat, 'file');
    const bytes = Buffer.from(`${mayBeTorn && endsInLine(fd, stat.size) ? '\n' : ''}${line}\n`);
    const written = fs.writeSync(fd, bytes);
    if (written === bytes.length) return;
    // What did fit goes again, unless another monitor has already written behind it.
    if (fs.fstatSync(fd).size === stat.size + written) fs.ftruncateSync(fd, stat.size);
    throw new Error(`only ${written} of ${bytes.length} bytes fitted`);
  } finally {
    fs.closeSync(fd);
  }
}

function endsInLine(fd: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size > 0 && fs.readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
}
