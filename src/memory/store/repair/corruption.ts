import { Failure } from '#core/platform';

/**
 * Whether SQLite reports a damaged file: SQLITE_CORRUPT or SQLITE_NOTADB (https://www.sqlite.org/rescode.html#corrupt). Some
 * errors of the driver have only a message. A migration that finds its table or column already there met a wrong schema number.
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

/** The failure for a database that was found to be damaged in use. `what` is SQLite's message. */
export function damageFailure(what: string): Failure {
  return new Failure('damaged_database', `the database is damaged (${what})`, {
    safe: 'acknowledged events that are not stored are in the log',
    repair: 'run `memd start`, which sets the damaged file aside and salvages what can be read',
  });
}
