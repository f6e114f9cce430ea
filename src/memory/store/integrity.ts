import fs from 'node:fs';
import path from 'node:path';
import { integrityCheckBytesMax, startCheckBytesMax } from '../../core/limits.ts';
import { faultNumber, messageOf } from '../../core/platform/index.ts';
import { rethrowBusy } from './busy.ts';
import { Connection } from './connection.ts';
import { isCorruption } from './corruption.ts';
import { text } from './row.ts';

/**
 * What is wrong with a database, in SQLite's words, or null. Reads every page and the lexical index (`PRAGMA quick_check`, 2 to 4 s a
 * GiB from the cache), so one that is larger than `integrityCheckBytesMax` is not looked at: a start must stay short.
 * @throws Failure `busy`
 */
export function damageOf(file: string): string | null {
  if (bytesOf(file) > integrityCheckBytesMax) return null;
  let connection: Connection | null = null;
  try {
    // Read-only: closing it writes nothing, so that what is damaged can be set aside as it is.
    connection = new Connection(file, { readOnly: true });
    const row = connection.get('PRAGMA quick_check(1)') ?? {};
    const verdict = text(row, Object.keys(row)[0] ?? '');
    return verdict === 'ok' ? null : verdict.replace(/\s+/g, ' ');
  } catch (error) {
    // A file that could not be looked at is not one without damage.
    rethrowBusy(error);
    // Anything else than damage (a missing file, no right to read) is for whoever opens it to tell.
    return isCorruption(error) ? messageOf(error) : null;
  } finally {
    connection?.close();
  }
}

/**
 * Whether SQLite may not write to a file that the system lets this user write to: then it is the file's own header that says so, in a
 * number that no SQLite has put there (https://www.sqlite.org/fileformat2.html#file_format_version_numbers).
 */
export function isClosedByItself(file: string, error: unknown): boolean {
  if (!/attempt to write a readonly database/.test(messageOf(error))) return false;
  try {
    for (const needed of [file, path.dirname(file)]) fs.accessSync(needed, fs.constants.W_OK);
    return true;
  } catch {
    // The disk, or the mode of the file.
    return false;
  }
}

/** Whether that takes so little (some 40 ms at the most) that every start does it, also after an end in order. */
export function isSoonChecked(file: string): boolean {
  return bytesOf(file) <= faultNumber('start.check', startCheckBytesMax);
}

function bytesOf(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
