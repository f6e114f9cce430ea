import fs from 'node:fs';
import path from 'node:path';
import { redactText } from '../../../capture/redact/index.ts';
import { rawChunkBytes } from '../../../core/limits.ts';
import { errorCode, Failure, removeIfThere } from '../../../core/platform/index.ts';
import { type RedactRows, scanTexts, scrubTexts } from '../../../memory/store/index.ts';
import { namesIn } from '../words.ts';
import { cleanRows } from './clean-rows.ts';
import { Tally } from './tally.ts';

const rawOverlapBytes = 64 * 1024;

/** The database's copies: backups before a migration, damaged ones that were set aside, one that was salvaged. */
export function copiesOf(database: string): string[] {
  const folder = path.dirname(database);
  const start = `${path.basename(database)}.`;
  return namesIn(folder)
    .filter((name) => name.startsWith(start))
    .filter((name) => /^(?:schema-\d+\.backup|corrupt-[^-]+|salvaged)$/.test(name.slice(start.length)))
    .map((name) => path.join(folder, name));
}

/** Counts what a copy holds: row by row and, where it is damaged, also in its bytes as they lie there. */
export function scanCopy(copy: string, tally: Tally): void {
  if (!isDamaged(copy)) {
    scanTexts(copy, cleanRowsOf(copy, tally));
    return;
  }
  try {
    scanTexts(copy, cleanRowsOf(copy, tally));
  } catch (error) {
    // That SQLite cannot read it is why it lies here; its bytes tell the rest.
    if (!(error instanceof Error) || errorCode(error) === 'ENOENT') throw error;
  }
  for (const part of partsOf(copy)) scanBytes(part, path.basename(copy), tally);
}

/**
 * Scrubs a copy as the database itself. A damaged one cannot be written to: it is removed when it holds secrets. What
 * could be read of it was salvaged when it was set aside.
 */
export function scrubCopy(copy: string): void {
  if (isDamaged(copy)) for (const part of partsOf(copy)) removeIfThere(part);
  else scrubTexts(copy, cleanRowsOf(copy, new Tally()));
}

/** By its name, or because it cannot be read through to its end. */
function isDamaged(copy: string): boolean {
  if (path.basename(copy).includes('.corrupt-')) return true;
  try {
    scanTexts(copy, (group) => group.map(() => null));
    return false;
  } catch (error) {
    if (error instanceof Failure) throw error;
    return true;
  }
}

function cleanRowsOf(copy: string, tally: Tally): RedactRows {
  return cleanRows(tally, () => path.basename(copy));
}

function partsOf(copy: string): string[] {
  return ['', '-wal', '-shm', '-journal'].map((part) => copy + part).filter((file) => fs.existsSync(file));
}

/** The runs of printable bytes, chunk by chunk; chunks overlap, so that no secret is cut by their border. */
function scanBytes(file: string, place: string, tally: Tally): void {
  const fd = fs.openSync(file, 'r');
  try {
    const chunk = Buffer.allocUnsafe(rawChunkBytes);
    for (let position = 0; ; position += rawChunkBytes - rawOverlapBytes) {
      const bytes = fs.readSync(fd, chunk, 0, chunk.length, position);
      if (bytes === 0) return;
      const text = chunk.toString('latin1', 0, bytes).replace(/[^\t -~]+/g, '\n');
      const { text: clean, kinds } = redactText(text);
      if (clean !== text) tally.add(place, kinds);
      if (bytes < chunk.length) return;
    }
  } finally {
    fs.closeSync(fd);
  }
}
