import fs from 'node:fs';
import path from 'node:path';
import { Failure, removeIfThere, syncFolder, withDescriptor } from '#core/platform';
import type { Connection } from '../connection.ts';
import { isCorruption } from '../repair/corruption.ts';
import { schema4 } from './schema-4.ts';
import { schema6 } from './schema-6.ts';
import { isSchema7, schema7 } from './schema-7.ts';

// After a migration, a database up to this size is rewritten; a larger one keeps its free pages for new rows.
const vacuumAtMigrationBytesMax = 256 * 1024 * 1024;

/** The schema of the first release. A file with the number of an earlier one is damaged. */
export const firstSchema = 4;

/** The version that each step leads to, in order. A released step is never changed. Schema 5 was of no release. */
const steps: readonly (readonly [version: number, step: (connection: Connection) => void])[] = [
  [firstSchema, (connection) => connection.exec(schema4)],
  [6, schema6],
  [7, schema7],
];

/** The version this program writes (`PRAGMA user_version`). */
export const schemaVersion = 7;

/**
 * Migrates the database to `schemaVersion`, all steps in one transaction. A database with data is copied first.
 * @throws Failure `newer_schema` if a newer memd wrote it; it is not changed
 */
export function migrate(connection: Connection, file: string): void {
  const from = knownVersion(connection, file);
  if (from === schemaVersion && isSchema7(connection)) return;
  const isOlder = from > 0 && from < schemaVersion;
  if (isOlder) backUp(connection, `${file}.schema-${from}.backup`);
  // Takes effect in an empty database, or at the next VACUUM.
  connection.exec('PRAGMA auto_vacuum = INCREMENTAL');
  connection.transaction(() => {
    const current = currentVersion(connection);
    for (const [version, step] of steps) if (version > current || version === schemaVersion) step(connection);
    connection.exec(`PRAGMA user_version = ${schemaVersion}`);
  });
  if (isOlder && fs.statSync(file).size <= vacuumAtMigrationBytesMax) rewriteDatabase(connection);
}

/** So that free pages can be returned step by step. Optional. */
function rewriteDatabase(connection: Connection): void {
  try {
    connection.exec('VACUUM');
  } catch (error) {
    // Mostly a full disk or a lock: the database works without it.
    if (isCorruption(error)) throw error;
  }
}

/** Whether the database has tables. @throws Failure `newer_schema` */
export function isReadable(connection: Connection, file: string): boolean {
  return knownVersion(connection, file) > 0;
}

function knownVersion(connection: Connection, file: string): number {
  const version = currentVersion(connection);
  if (version <= schemaVersion) return version;
  throw new Failure(
    'newer_schema',
    `${file} has schema ${version}, and this memd knows schemas up to ${schemaVersion}`,
    {
      safe: 'it was not changed',
      repair: 'install the memd version that wrote it, or a newer one',
    },
  );
}

export function currentVersion(connection: Connection): number {
  return connection.number('PRAGMA user_version');
}

/** The copy gets its name when it is complete and on the disk: an existing copy is kept. */
function backUp(connection: Connection, copy: string): void {
  if (fs.existsSync(copy)) return;
  const temporary = `${copy}.${process.pid}.tmp`;
  try {
    // SQLite fills an existing empty file; it would create one by the umask.
    withDescriptor(fs.openSync(temporary, 'w', 0o600), (fd) => {
      connection.exec(`VACUUM INTO '${temporary.replaceAll("'", "''")}'`);
      fs.fsyncSync(fd);
    });
    fs.renameSync(temporary, copy);
  } catch (error) {
    for (const part of ['', '-journal']) removeIfThere(`${temporary}${part}`);
    throw error;
  }
  syncFolder(path.dirname(copy));
}
