import fs from 'node:fs';
import { errorCode } from '../../core/platform/index.ts';

/** Reads the lines of a file that grows and rotates. */
export class Tail {
  readonly #file: string;
  #fd: number | null = null;
  #position = 0;
  /** The start of an unfinished line, in bytes: a write may end within a character. */
  #rest: Buffer = Buffer.alloc(0);

  constructor(file: string) {
    this.#file = file;
    this.#open();
  }

  get isOpen(): boolean {
    return this.#fd !== null;
  }

  /** The unfinished last line. */
  get rest(): string {
    return this.#rest.toString('utf8');
  }

  /** The complete lines since the last call, without empty ones; at the first call, all lines. */
  added(): string[] {
    const lines = this.#read();
    if (!this.#isReplaced()) return lines;
    // First what was written to the old file before its renaming, also half a line.
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

  /** Whether another file has the name now, or this one was truncated. During a rotation no file has it. */
  #isReplaced(): boolean {
    const named = fs.statSync(this.#file, { throwIfNoEntry: false });
    if (named === undefined) return false;
    if (this.#fd === null) return true;
    const own = fs.fstatSync(this.#fd);
    return named.ino !== own.ino || named.dev !== own.dev || own.size < this.#position;
  }
}
