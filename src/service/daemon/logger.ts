import fs from 'node:fs';
import pino, { type Logger } from 'pino';
import { parseJson } from '#core/event';
import { daemonLogBytesMax, daemonLogFilesMax } from '#core/limits';
import { addLine, bestEffort, openToAdd } from '#core/platform';
import { redact, redactText } from '#redact/engine';

export type { Logger } from 'pino';

/**
 * The daemon's own log: NDJSON as pino writes it, redacted (an error may hold a path, and a path a token), rotated by size
 * (`<key>.ndjson`, `<key>.ndjson.1`, ...).
 */
export function openLogger(file: string): Logger {
  return pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, rotatingFile(file));
}

/** Writes synchronously: the last line before a crash is the one that is needed. */
function rotatingFile(file: string) {
  let fd = openToAdd(file);
  const rotate = (): void => {
    for (let index = daemonLogFilesMax - 1; index >= 1; index -= 1) {
      const from = index === 1 ? file : `${file}.${index - 1}`;
      if (fs.existsSync(from)) fs.renameSync(from, `${file}.${index}`);
    }
    const former = fd;
    fd = openToAdd(file);
    fs.closeSync(former);
  };
  // A full disk must not end the daemon for a log line.
  const write = (line: string): void =>
    bestEffort(() => {
      const { size } = fs.fstatSync(fd);
      if (size > 0 && size + Buffer.byteLength(line) > daemonLogBytesMax) rotate();
      addLine(fd, withoutSecrets(line.trimEnd()));
    });
  return { write };
}

function withoutSecrets(line: string): string {
  const fields = parseJson(line);
  return fields === undefined ? redactText(line).text : JSON.stringify(redact(fields).value);
}
