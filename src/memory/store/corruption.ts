import { Failure } from '../../core/platform/index.ts';

/**
 * Whether SQLite has said that the file is damaged: SQLITE_CORRUPT with its kin, or SQLITE_NOTADB. The driver gives
 * a result code for some errors and only words for those of a step (https://www.sqlite.org/rescode.html#corrupt). What a migration finds
 * there already was made by it before: the number of the schema is wrong.
 */
export function isCorruption(error: unknown): boolean {
  return (
    error instanceof Error &&
    (hasCorruptionCode(error) ||
      /database disk image is malformed|file is not a database|malformed database schema|unsupported file format|fts5: corrupt|invalid fts5 file format|vtable constructor failed|^(?:table|index) \S+ already exists|^duplicate column name/.test(
        error.message,
      ))
  );
}

/** SQLITE_CORRUPT or SQLITE_NOTADB, also as the low byte of an extended code. */
function hasCorruptionCode(error: Error): boolean {
  if (!('errcode' in error) || typeof error.errcode !== 'number') return false;
  return [11, 26].includes(error.errcode & 0xff);
}

/** What is said of a damaged database that was met at work, in SQLite's words `what`. */
export function damageFailure(what: string): Failure {
  return new Failure('damaged_database', `the database is damaged (${what})`, {
    safe: 'what was acknowledged and not stored is in the log',
    repair: 'run: memd start, which sets the damaged file aside and salvages what can be read',
  });
}
