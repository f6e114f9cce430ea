import fs from 'node:fs';
import path from 'node:path';
import { Failure, removeIfThere, syncFolder } from '../../core/platform/index.ts';
import type { Connection } from './connection.ts';
import { isCorruption } from './corruption.ts';
import { addDuplicates } from './duplicates.ts';
import { number } from './row.ts';
import { schema1 } from './schema-1.ts';
import { schema2, schema2Doubts } from './schema-2.ts';
import { schema3 } from './schema-3.ts';
import { schema4 } from './schema-4.ts';

// A database of an older schema is written anew once, at the migration that copies it anyway; a larger one keeps its free pages for new rows.
const vacuumAtMigrationBytesMax = 256 * 1024 * 1024;

/** One step a version, applied in order; a released one is never edited. */
const steps: readonly (string | ((connection: Connection) => void))[] = [
  schema1,
  schema2 + schema2Doubts,
  schema3,
  schema4,
];

/** The version this program writes (`PRAGMA user_version`). */
export const schemaVersion = steps.length;

/**
 * Brings the database forward to `schemaVersion`: all steps in one transaction, after a copy of a database that
 * has data has been laid beside it.
 * @throws Failure `newer_schema` when a later version of memd wrote it; it is left as it is.
 */
export function migrate(connection: Connection, file: string): void {
  const from = knownVersion(connection, file);
  if (from === schemaVersion && isComplete(connection)) return;
  const isOlder = from > 0 && from < schemaVersion;
  if (isOlder) backUp(connection, `${file}.schema-${from}.backup`);
  // Heard only by a database without tables, or one that is written anew.
  connection.exec('PRAGMA auto_vacuum = INCREMENTAL');
  connection.transaction(() => {
    for (const step of steps.slice(currentVersion(connection))) {
      if (typeof step === 'string') connection.exec(step);
      else step(connection);
    }
    connection.exec(schema2Doubts);
    addDuplicates(connection);
    connection.exec(`PRAGMA user_version = ${schemaVersion}`);
  });
  if (isOlder && fs.statSync(file).size <= vacuumAtMigrationBytesMax) rewriteDatabase(connection);
}

/** Whether the tables are there that came to a schema after its number was given. */
function isComplete(connection: Connection): boolean {
  return connection.hasTable('doubts') && connection.hasTable('paired');
}

/** So that free pages can be given back bit by bit from now on. Everything else works without it. */
function rewriteDatabase(connection: Connection): void {
  try {
    connection.exec('VACUUM');
  } catch (error) {
    // A disk that is nearly full, or a lock, mostly: it then stays as it is.
    if (isCorruption(error)) throw error;
  }
}

/** Whether there are tables to read. @throws Failure `newer_schema` */
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

function currentVersion(connection: Connection): number {
  return number(connection.get('PRAGMA user_version') ?? {}, 'user_version');
}

/** The copy has its name only once it is whole and on the disk: whatever bears that name is not made again. */
function backUp(connection: Connection, copy: string): void {
  if (fs.existsSync(copy)) return;
  const beside = `${copy}.${process.pid}.tmp`;
  try {
    // SQLite fills an empty file that is there, and would make one by the umask.
    const fd = fs.openSync(beside, 'w', 0o600);
    try {
      connection.exec(`VACUUM INTO '${beside.replaceAll("'", "''")}'`);
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
    fs.renameSync(beside, copy);
  } catch (error) {
    for (const part of ['', '-journal']) removeIfThere(`${beside}${part}`);
    throw error;
  }
  syncFolder(path.dirname(copy));
}
