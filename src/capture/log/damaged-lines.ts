import fs from 'node:fs';
import path from 'node:path';
import { faultPoint, openToAdd, syncFolder } from '../../core/platform/index.ts';

/** The file for damaged lines: created with the first one, only appended to. */
export class DamagedLines {
  readonly file: string;
  #fd: number | null = null;

  constructor(file: string) {
    this.file = file;
  }

  /** Adds a line, given without its newline. */
  add(line: Buffer): void {
    this.#fd ??= openToAdd(this.file);
    faultPoint('aside.write');
    fs.writeFileSync(this.#fd, Buffer.concat([line, Buffer.from('\n')]));
  }

  /** Makes the added lines and the file's name durable. */
  sync(): void {
    if (this.#fd === null) return;
    faultPoint('aside.sync');
    fs.fsyncSync(this.#fd);
    syncFolder(path.dirname(this.file));
    faultPoint('aside.sync.after');
  }

  close(): void {
    if (this.#fd !== null) fs.closeSync(this.#fd);
    this.#fd = null;
  }
}
