import fs from 'node:fs';
import path from 'node:path';
import { Failure, removeIfThere, syncFolder, withDescriptor } from '../../../core/platform/index.ts';
import type { Connection } from '../connection.ts';
import { addCopies } from '../repair/clean-copies.ts';
import { isCorruption } from '../repair/corruption.ts';
import { number } from '../row.ts';
import { addComparables } from '../tables/comparables.ts';
import { addIncomplete } from '../tables/incomplete.ts';
import { schema4 } from './schema-4.ts';
import { schema5 } from './schema-5.ts';
import { schema6 } from './schema-6.ts';
import { schema7 } from './schema-7.ts';
import { addGiven } from './schema-given.ts';

// After a migration, a database up to this size is rewritten; a larger one keeps its free pages for new rows.
const vacuumAtMigrationBytesMax = 256 * 1024 * 1024;

/** The schema of the first release. A file with the number of an earlier one is damaged. */
export const firstSchema = 4;

/** One step for each version from the first release on, in order. A released step is never changed. */
const steps: readonly (string | ((connection: Connection) => void))[] = [schema4, schema5, schema6, schema7];

/** The version this program writes (`PRAGMA user_version`). */
export const schemaVersion = firstSchema + steps.length - 1;

/**
 * Migrates the database to `schemaVersion`, all steps in one transaction. A database with data is copied first.
 * @throws Failure `newer_schema` if a newer memd wrote it; it is not changed
 */
export function migrate(connection: Connection, file: string): void {
  const from = knownVersion(connection, file);
  if (from === schemaVersion && isComplete(connection)) return;
  const isOlder = from > 0 && from < schemaVersion;
  if (isOlder) backUp(connection, `${file}.schema-${from}.backup`);
  // Takes effect in an empty database, or at the next VACUUM.
  connection.exec('PRAGMA auto_vacuum = INCREMENTAL');
  connection.transaction(() => {
    for (const step of steps.slice(Math.max(0, currentVersion(connection) + 1 - firstSchema))) {
      if (typeof step === 'string') connection.exec(step);
      else step(connection);
    }
    addGiven(connection);
    addIncomplete(connection);
    addCopies(connection);
    addComparables(connection);
    connection.exec(pinnedIndex);
    connection.exec(`PRAGMA user_version = ${schemaVersion}`);
  });
  if (isOlder && fs.statSync(file).size <= vacuumAtMigrationBytesMax) rewriteDatabase(connection);
}

/** Few memories are pinned: without it, a list of them reads all. */
const pinnedIndex =
  'CREATE INDEX IF NOT EXISTS summaries_pinned ON summaries (ts DESC, id DESC) WHERE pinned <> 0';

/** Whether the tables and the index exist that were added to a schema after its release. */
function isComplete(connection: Connection): boolean {
  return ['given', 'incomplete', 'natives', 'comparables', 'summaries_pinned'].every((name) =>
    connection.hasTable(name),
  );
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
  return number(connection.get('PRAGMA user_version') ?? {}, 'user_version');
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
