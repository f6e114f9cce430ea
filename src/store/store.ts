import fs from 'node:fs';
import { Failure, messageOf } from '../platform/index.ts';
import { Connection } from './connection.ts';
import { Ledger } from './counts.ts';
import { EdgeTable } from './edges.ts';
import { EmbeddingTable } from './embeddings.ts';
import { EventTable } from './events.ts';
import { isReadable, migrate } from './migrate.ts';
import { SummaryTable } from './summaries.ts';

/** The open database, a table a field. */
export interface Store {
  readonly connection: Connection;
  readonly events: EventTable;
  readonly summaries: SummaryTable;
  readonly embeddings: EmbeddingTable;
  readonly edges: EdgeTable;
  readonly ledger: Ledger;
  close(): void;
}

/**
 * Opens the database for reading and writing, creating or migrating it.
 * @throws Failure `newer_schema`, `bad_database`
 */
export function openStore(file: string): Store {
  // SQLite creates its files by the umask; create it first so that nobody else can ever read it. The `-wal`
  // and `-shm` files inherit its mode.
  fs.closeSync(fs.openSync(file, 'a', 0o600));
  const connection = new Connection(file, { readOnly: false });
  try {
    connection.exec('PRAGMA journal_mode = WAL');
    // FULL: a commit is on the disk before the write-ahead log that holds the same events is emptied.
    connection.exec('PRAGMA synchronous = FULL');
    migrate(connection, file);
    const store = tables(connection);
    store.summaries.rebuildIndex();
    return store;
  } catch (error) {
    connection.close();
    throw unusable(file, error);
  }
}

/**
 * Opens the database for reading; null when there is none yet, or one without tables.
 * @throws Failure `newer_schema`, `bad_database`
 */
export function openStoreReadOnly(file: string): Store | null {
  if (!fs.existsSync(file)) return null;
  let connection: Connection | null = null;
  try {
    connection = new Connection(file, { readOnly: true });
    if (isReadable(connection, file)) return tables(connection);
    connection.close();
    return null;
  } catch (error) {
    connection?.close();
    throw unusable(file, error);
  }
}

function unusable(file: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure('bad_database', `${file} cannot be used: ${messageOf(error)}`, {
    safe: 'it was not changed',
    repair: 'move it away to begin anew, or restore a backup from its folder',
    cause: error,
  });
}

function tables(connection: Connection): Store {
  return {
    connection,
    events: new EventTable(connection),
    summaries: new SummaryTable(connection),
    embeddings: new EmbeddingTable(connection),
    edges: new EdgeTable(connection),
    ledger: new Ledger(connection),
    close: () => connection.close(),
  };
}
