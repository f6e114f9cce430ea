import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import { encodeRecord, linesOf } from '#capture/log';
import { isObject, own, parseJson } from '#core/event';
import { lstatIfThere, removeIfThere, syncFolder } from '#core/platform';
import { eventIn, type Kinds } from '#memory/archive';
import { redactObservation } from '#redact/engine';
import { cleanJsonText, type Tally } from './clean.ts';

/** Counts the lines that today's rules would change. A missing file has none. */
export function scanLines(file: string, place: string, tally: Tally): void {
  if (lstatIfThere(file)?.isFile() !== true) return;
  for (const line of bytesOfLines(file)) {
    const cleaned = cleanLine(line);
    if (cleaned !== null) tally.add(place, cleaned.kinds);
  }
}

/** Writes the redacted lines of `sources` to `target` and removes the other sources. A kill leaves the sources or the whole target. */
export function scrubLines(sources: readonly string[], target: string): void {
  const temporary = `${target}.${process.pid}.tmp`;
  const fd = fs.openSync(temporary, 'w', 0o600);
  try {
    for (const file of sources.filter((one) => lstatIfThere(one) !== null)) {
      for (const line of bytesOfLines(file))
        fs.writeFileSync(fd, Buffer.concat([cleanLine(line)?.bytes ?? line, Buffer.from('\n')]));
    }
    fs.fsyncSync(fd);
    fs.renameSync(temporary, target);
  } finally {
    fs.closeSync(fd);
    removeIfThere(temporary);
  }
  for (const file of sources) if (file !== target) removeIfThere(file);
  syncFolder(path.dirname(target));
}

function* bytesOfLines(file: string): Generator<Buffer> {
  const fd = fs.openSync(file, 'r');
  try {
    for (const { bytes } of linesOf(fd)) yield bytes;
  } finally {
    fs.closeSync(fd);
  }
}

/** Null if today's rules change nothing. */
function cleanLine(line: Buffer): { bytes: Buffer; kinds: Kinds } | null {
  // Other bytes are kept as they are; a secret among them is ASCII.
  const encoding = isUtf8(line) ? 'utf8' : 'latin1';
  const text = line.toString(encoding);
  const cleaned = cleanRecord(text) ?? cleanJsonText(text);
  if (cleaned === null || cleaned.text === text) return null;
  return { bytes: Buffer.from(cleaned.text, encoding), kinds: cleaned.kinds };
}

/** A record gets a new checksum and keeps its id, so that a repeat stays one event. Null for a damaged record: it stays damaged. */
function cleanRecord(text: string): { text: string; kinds: Kinds } | null {
  const value = parseJson(text);
  const event = isObject(value) ? eventIn(own(value, 'event')) : null;
  if (event === null || encodeRecord(event) !== `${text}\n`) return null;
  const { value: clean, kinds } = redactObservation(event);
  return { text: encodeRecord({ ...event, ...clean }).slice(0, -1), kinds };
}
