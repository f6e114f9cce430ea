import fs from 'node:fs';
import pino, { type Logger } from 'pino';
import { daemonLogBytesMax, daemonLogFilesMax } from '../../core/limits.ts';
import { openToAdd } from '../../core/platform/index.ts';

export type { Logger } from 'pino';

/** The daemon's own log: NDJSON as pino writes it, rotated by size (`<key>.ndjson`, `<key>.ndjson.1`, ...). */
export function openLogger(file: string): Logger {
  return pino(
    { base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    new RotatingFile(file, daemonLogBytesMax, daemonLogFilesMax),
  );
}

/** Writes synchronously: the last line before a crash is the one that is needed. */
class RotatingFile {
  readonly #file: string;
  readonly #bytesMax: number;
  readonly #filesMax: number;
  #fd: number;
  #bytes: number;

  constructor(file: string, bytesMax: number, filesMax: number) {
    this.#file = file;
    this.#bytesMax = bytesMax;
    this.#filesMax = filesMax;
    this.#fd = openToAdd(file);
    this.#bytes = fs.fstatSync(this.#fd).size;
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    try {
      if (this.#bytes > 0 && this.#bytes + bytes.length > this.#bytesMax) this.#rotate();
      this.#bytes += fs.writeSync(this.#fd, bytes);
    } catch {
      // A full disk must not end the daemon for a log line.
    }
  }

  #rotate(): void {
    for (let index = this.#filesMax - 1; index >= 1; index -= 1) {
      const from = index === 1 ? this.#file : `${this.#file}.${index - 1}`;
      if (fs.existsSync(from)) fs.renameSync(from, `${this.#file}.${index}`);
    }
    const former = this.#fd;
    this.#fd = openToAdd(this.#file);
    this.#bytes = 0;
    fs.closeSync(former);
  }
}
