import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import { encodeRecord } from '../../../capture/log/index.ts';
import { redactObservation } from '../../../capture/redact/index.ts';
import { isObject, own, parseJson } from '../../../core/event/index.ts';
import { rawChunkBytes } from '../../../core/limits.ts';
import { lstatIfThere, removeIfThere, syncFolder } from '../../../core/platform/index.ts';
import type { Cleaned } from './clean.ts';
import { cleanJsonText, eventIn } from './clean.ts';
import type { Tally } from './tally.ts';

/** Counts the lines of `file` that today's rules would change. A file that is not there has none. */
export function scanLines(file: string, place: string, tally: Tally): void {
  if (lstatIfThere(file)?.isFile() !== true) return;
  for (const line of linesOf(file)) {
    const cleaned = cleanLine(line);
    if (cleaned !== null) tally.add(place, cleaned.kinds);
  }
}

/**
 * Writes the lines of `sources`, one file behind the other, to `target` as they must be; then the other sources are
 * removed. A kill at any moment leaves the sources or the whole new target (written beside, synced, renamed).
 */
export function scrubLines(sources: readonly string[], target: string): void {
  const beside = `${target}.${process.pid}.tmp`;
  const fd = fs.openSync(beside, 'w', 0o600);
  try {
    for (const file of sources) {
      if (lstatIfThere(file) === null) continue;
      for (const line of linesOf(file)) {
        fs.writeFileSync(fd, Buffer.concat([cleanLine(line)?.bytes ?? line, Buffer.from('\n')]));
      }
    }
    fs.fsyncSync(fd);
    fs.renameSync(beside, target);
  } finally {
    fs.closeSync(fd);
    removeIfThere(beside);
  }
  for (const file of sources) if (file !== target) removeIfThere(file);
  syncFolder(path.dirname(target));
}

/** A line that today's rules change, or null. A record of the log gets the checksum of what it says now. */
function cleanLine(line: Buffer): { bytes: Buffer; kinds: Cleaned['kinds'] } | null {
  // Bytes that are no UTF-8 stay what they are, and a secret among them is ASCII.
  const encoding = isUtf8(line) ? 'utf8' : 'latin1';
  const text = line.toString(encoding);
  const cleaned = cleanRecord(text) ?? cleanJsonText(text);
  if (cleaned === null || cleaned.text === text) return null;
  return { bytes: Buffer.from(cleaned.text, encoding), kinds: cleaned.kinds };
}

/** Null for what is no whole record: that stays damaged, but without secrets. */
function cleanRecord(text: string): Cleaned | null {
  const value = parseJson(text);
  const event = isObject(value) ? eventIn(own(value, 'event')) : null;
  if (event === null || encodeRecord(event) !== `${text}\n`) return null;
  const { value: clean, kinds } = redactObservation(event);
  // The id stays: it is what makes a repeat the same event.
  const record = encodeRecord({ ...event, ...clean }).slice(0, -1);
  return { text: record, kinds, removed: [] };
}

/** The lines of a file without their newlines, in bounded memory (a chunk and a line). */
function* linesOf(file: string): Generator<Buffer> {
  const fd = fs.openSync(file, 'r');
  try {
    const chunk = Buffer.allocUnsafe(rawChunkBytes);
    let parts: Buffer[] = [];
    for (;;) {
      const bytes = fs.readSync(fd, chunk, 0, chunk.length, null);
      if (bytes === 0) break;
      let from = 0;
      for (let at = chunk.indexOf(10); at !== -1 && at < bytes; at = chunk.indexOf(10, from)) {
        yield Buffer.concat([...parts, chunk.subarray(from, at)]);
        parts = [];
        from = at + 1;
      }
      if (from < bytes) parts.push(Buffer.from(chunk.subarray(from, bytes)));
    }
    if (parts.length > 0) yield Buffer.concat(parts);
  } finally {
    fs.closeSync(fd);
  }
}
