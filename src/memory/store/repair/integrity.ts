import fs from 'node:fs';
import path from 'node:path';
import { integrityCheckBytesMax, startCheckBytesMax } from '#core/limits';
import { faultNumber, messageOf, orElse } from '#core/platform';
import { rethrowBusy } from '../busy.ts';
import { type Connection, withConnection } from '../connection.ts';
import { text } from '../row.ts';
import { isCorruption } from './corruption.ts';

/**
 * The damage of a database in SQLite's words, or null. Reads every page and the lexical index (`PRAGMA quick_check`, 2 to 4 s
 * for each GiB from the cache), so a file larger than `integrityCheckBytesMax` is not checked.
 * @throws Failure `busy`
 */
export function damageOf(file: string): string | null {
  if (bytesOf(file) > integrityCheckBytesMax) return null;
  try {
    // Read-only, so that a damaged file is not changed.
    const check = (connection: Connection) => connection.get('PRAGMA quick_check(1)') ?? {};
    const row = withConnection(file, { readOnly: true }, check);
    const verdict = text(row, Object.keys(row)[0] ?? '');
    return verdict === 'ok' ? null : verdict.replace(/\s+/g, ' ');
  } catch (error) {
    rethrowBusy(error);
    // Any other error (a missing file, no permission) occurs again at the opening.
    return isCorruption(error) ? messageOf(error) : null;
  }
}

/**
 * Whether SQLite refuses to write although the user may write to the file: then a number in the file's header is damaged (https://www.sqlite.org/fileformat2.html#file_format_version_numbers).
 */
export function isClosedByItself(file: string, error: unknown): boolean {
  if (!/attempt to write a readonly database/.test(messageOf(error))) return false;
  // A read-only disk or file.
  return orElse(() => {
    for (const needed of [file, path.dirname(file)]) fs.accessSync(needed, fs.constants.W_OK);
    return true;
  }, false);
}

/** Whether the check takes at most about 40 ms, so that every start can do it. */
export function isSoonChecked(file: string): boolean {
  return bytesOf(file) <= faultNumber('start.check', startCheckBytesMax);
}

function bytesOf(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
