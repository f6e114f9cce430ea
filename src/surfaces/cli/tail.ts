import fs from 'node:fs';
import { errorCode } from '../../core/platform/index.ts';

/** Reads the lines of a file that grows and is rotated: renamed, and begun anew under its name. */
export class Tail {
  readonly #file: string;
  #fd: number | null = null;
  #position = 0;
  /** What has come of a line without its end. In bytes: a write may end within a character. */
  #rest: Buffer = Buffer.alloc(0);

  constructor(file: string) {
    this.#file = file;
    this.#open();
  }

  /** Whether there is such a file. */
  get isOpen(): boolean {
    return this.#fd !== null;
  }

  /** The last line as far as it is written. */
  get rest(): string {
    return this.#rest.toString('utf8');
  }

  /** The whole lines that have been added since the last call, all there are at the first; empty ones are left out. */
  added(): string[] {
    const lines = this.#read();
    if (!this.#isReplaced()) return lines;
    // What came between the look at the former file and its renaming, be it half a line, and then the new one.
    lines.push(...this.#read(), this.rest);
    this.close();
    this.#open();
    lines.push(...this.#read());
    return lines.filter(Boolean);
  }

  close(): void {
    if (this.#fd !== null) fs.closeSync(this.#fd);
    this.#fd = null;
    this.#position = 0;
    this.#rest = Buffer.alloc(0);
  }

  #open(): void {
    try {
      this.#fd = fs.openSync(this.#file, 'r');
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }

  #read(): string[] {
    if (this.#fd === null) return [];
    const bytes = Buffer.alloc(Math.max(0, fs.fstatSync(this.#fd).size - this.#position));
    const count = fs.readSync(this.#fd, bytes, 0, bytes.length, this.#position);
    this.#position += count;
    const all = Buffer.concat([this.#rest, bytes.subarray(0, count)]);
    const end = all.lastIndexOf(0x0a) + 1;
    this.#rest = all.subarray(end);
    return all.toString('utf8', 0, end).split('\n').filter(Boolean);
  }

  /** Whether another file has the name, or this one was cut. In the middle of a rotation nobody has it. */
  #isReplaced(): boolean {
    const named = fs.statSync(this.#file, { throwIfNoEntry: false });
    if (named === undefined) return false;
    if (this.#fd === null) return true;
    const own = fs.fstatSync(this.#fd);
    return named.ino !== own.ino || named.dev !== own.dev || own.size < this.#position;
  }
}
