import fs from 'node:fs';
import pino, { type Logger } from 'pino';
import { parseJson } from '../../core/event/index.ts';
import { daemonLogBytesMax, daemonLogFilesMax } from '../../core/limits.ts';
import { addLine, openToAdd } from '../../core/platform/index.ts';
import { redact, redactText } from '../../redact/engine/index.ts';

export type { Logger } from 'pino';

/**
 * The daemon's own log: NDJSON as pino writes it, redacted (an error may hold a path, and a path a token), rotated by size
 * (`<key>.ndjson`, `<key>.ndjson.1`, ...).
 */
export function openLogger(file: string): Logger {
  return pino(
    { base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    new RotatingFile(file),
  );
}

/** Writes synchronously: the last line before a crash is the one that is needed. */
class RotatingFile {
  readonly #file: string;
  #fd: number;

  constructor(file: string) {
    this.#file = file;
    this.#fd = openToAdd(file);
  }

  write(line: string): void {
    try {
      const { size } = fs.fstatSync(this.#fd);
      if (size > 0 && size + Buffer.byteLength(line) > daemonLogBytesMax) this.#rotate();
      addLine(this.#fd, withoutSecrets(line.trimEnd()));
    } catch {
      // A full disk must not end the daemon for a log line.
    }
  }

  #rotate(): void {
    for (let index = daemonLogFilesMax - 1; index >= 1; index -= 1) {
      const from = index === 1 ? this.#file : `${this.#file}.${index - 1}`;
      if (fs.existsSync(from)) fs.renameSync(from, `${this.#file}.${index}`);
    }
    const former = this.#fd;
    this.#fd = openToAdd(this.#file);
    fs.closeSync(former);
  }
}

function withoutSecrets(line: string): string {
  const fields = parseJson(line);
  return fields === undefined ? redactText(line).text : JSON.stringify(redact(fields).value);
}
