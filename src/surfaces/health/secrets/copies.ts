import fs from 'node:fs';
import path from 'node:path';
import { errorCode, Failure, removeIfThere } from '#core/platform';
import { chunksOf } from '#memory/archive';
import { type RedactRows, scanTexts, scrubTexts } from '#memory/store';
import { redactText } from '#redact/engine';
import { Tally } from './clean.ts';
import { cleanRows } from './clean-rows.ts';

const overlapBytes = 64 * 1024;

/** Row by row; of a damaged copy also its bytes. */
export function scanCopy(copy: string, tally: Tally): void {
  const isUnreadable = isDamaged(copy);
  try {
    scanTexts(copy, rowsOf(copy, tally));
  } catch (error) {
    if (!isUnreadable || !(error instanceof Error) || errorCode(error) === 'ENOENT') throw error;
  }
  if (isUnreadable) for (const part of partsOf(copy)) scanBytes(part, path.basename(copy), tally);
}

/** Removes a damaged copy, which cannot be written to. What was readable in it was salvaged when it was set aside. */
export function scrubCopy(copy: string): void {
  if (isDamaged(copy)) for (const part of partsOf(copy)) removeIfThere(part);
  else scrubTexts(copy, rowsOf(copy, new Tally()));
}

/** By its name, or because it cannot be read to its end. */
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

function rowsOf(copy: string, tally: Tally): RedactRows {
  return cleanRows(tally, () => path.basename(copy));
}

function partsOf(copy: string): string[] {
  return ['', '-wal', '-shm', '-journal'].map((part) => copy + part).filter((file) => fs.existsSync(file));
}

/** Runs of printable bytes. */
function scanBytes(file: string, place: string, tally: Tally): void {
  for (const bytes of chunksOf(file, overlapBytes)) {
    const text = bytes.toString('latin1').replace(/[^\t -~]+/g, '\n');
    const { text: clean, kinds } = redactText(text);
    if (clean !== text) tally.add(place, kinds);
  }
}
