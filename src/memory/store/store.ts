import fs from 'node:fs';
import { closeToOthers, Failure, messageOf, systemRepair } from '#core/platform';
import { Connection, checkDatabaseFiles } from './connection.ts';
import { isCorruption } from './repair/corruption.ts';
import { isClosedByItself } from './repair/integrity.ts';
import { markDamaged, type Repaired, repair, repairIfDamaged } from './repair/repair.ts';
import { currentVersion, firstSchema, isReadable, migrate, schemaVersion } from './schema/migrate.ts';
import { readAsCurrent } from './schema/older.ts';
import { CandidatePairTable } from './tables/candidate-pairs.ts';
import { DigestTable } from './tables/digests.ts';
import { EdgeTable } from './tables/edges.ts';
import { EmbeddingTable } from './tables/embeddings.ts';
import { EventTable } from './tables/events.ts';
import { PromptTable } from './tables/prompts.ts';
import { RetentionTable } from './tables/retention.ts';
import { SettingTable } from './tables/settings.ts';
import { Stats } from './tables/stats.ts';
import { SubjectTable } from './tables/subjects.ts';
import { SummaryTable } from './tables/summaries.ts';
import { UsageTable } from './tables/usage.ts';

// SQLite's log is truncated to this size after it was larger.
const sqliteLogBytesMax = 16 * 1024 * 1024;

/** The open database with one field for each table. */
export type Store = Readonly<ReturnType<typeof tables>>;

export interface OpenOptions {
  /**
   * Sets a damaged database aside and continues with what can be salvaged. Only for the holder of the workspace's lock.
   */
  readonly repair?: boolean;
  /** The last daemon was killed: with `repair`, the database is checked before it is used. */
  readonly suspect?: boolean;
}

/**
 * Opens the database for reading and writing, creating or migrating it.
 * @throws Failure `newer_schema`, `busy`, `bad_database`, `unsafe_file`
 */
export function openStore(
  file: string,
  { repair: repairs = false, suspect = false }: OpenOptions = {},
): Store {
  checkDatabaseFiles(file);
  const repaired = repairs ? repairIfDamaged(file, suspect) : null;
  try {
    return opened(file, repaired);
  } catch (error) {
    // A new database that is damaged again means a broken disk.
    const isDamage = isCorruption(error) || isClosedByItself(file, error);
    if (!repairs || repaired !== null || !isDamage) throw unusable(file, error);
    return opened(file, repair(file, messageOf(error)));
  }
}

function opened(file: string, repaired: Repaired | null): Store {
  // SQLite creates its files by the umask, so the file is created here with mode 0600; `-wal` and `-shm` inherit it.
  for (const part of ['', '-wal', '-shm']) closeToOthers(`${file}${part}`);
  // Only if it does not exist: closing any descriptor of a file loses the locks that this process has on it (fcntl(2)).
  if (!fs.existsSync(file)) fs.closeSync(fs.openSync(file, 'a', 0o600));
  const connection = new Connection(file, { readOnly: false });
  try {
    // A database of a newer memd is not changed.
    isReadable(connection, file);
    // Before the first page is written, so that free pages can be returned step by step.
    connection.exec('PRAGMA auto_vacuum = INCREMENTAL');
    connection.exec('PRAGMA journal_mode = WAL');
    connection.exec(`PRAGMA journal_size_limit = ${sqliteLogBytesMax}`);
    // FULL: a commit is on the disk before memd's log, which holds the same events, is emptied.
    connection.exec('PRAGMA synchronous = FULL');
    // Removed content is overwritten with zeros, also within a page (https://www.sqlite.org/pragma.html#pragma_secure_delete).
    connection.exec('PRAGMA secure_delete = ON');
    migrate(connection, file);
    const store = tables(connection, file, repaired);
    store.summaries.rebuildIndex();
    return store;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Opens the database for reading; null if it does not exist or has no tables. An older one is read as one of this schema.
 * @throws Failure `newer_schema`, `older_schema` if it is older than the first release, `busy`, `bad_database`, `unsafe_file`
 */
export function openStoreReadOnly(file: string): Store | null {
  return openedToRead(file, firstSchema, false);
}

/** What `read` gives for a database, which is closed then; null if it does not exist or has no tables. @throws Failure as `openStoreReadOnly` */
export function readDatabase<T>(file: string, read: (store: Store) => T): T | null {
  const store = openStoreReadOnly(file);
  try {
    return store && read(store);
  } finally {
    store?.close();
  }
}

/**
 * Opens a database of another project for reading, whether its daemon runs or not; null if it does not exist or has no tables. Without
 * SQLite's log nobody has it open: it is then read without locks, which would leave two files next to it.
 * @throws Failure as `openStoreReadOnly`, `older_schema` for every older one
 */
export function openStoreAside(file: string): Store | null {
  const hasLog = () => fs.existsSync(`${file}-wal`);
  if (hasLog()) return openedToRead(file, schemaVersion, false);
  try {
    return openedToRead(file, schemaVersion, true);
  } catch (error) {
    // A daemon that has started meanwhile may have changed pages under this reader.
    if (hasLog()) return openedToRead(file, schemaVersion, false);
    throw error;
  }
}

function openedToRead(file: string, oldest: number, immutable: boolean): Store | null {
  checkDatabaseFiles(file);
  if (!fs.existsSync(file) || fs.statSync(file).size === 0) return null;
  let connection: Connection | null = null;
  try {
    connection = new Connection(file, { readOnly: true, immutable });
    if (isReadable(connection, file)) {
      if (currentVersion(connection) < oldest)
        throw new Failure('older_schema', 'the memory has the format of an older memd', {
          repair: 'run `memd start` in its project, which converts it',
        });
      readAsCurrent(connection);
      return tables(connection, file, null);
    }
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
    repair: isCorruption(error)
      ? 'run `memd start`, which sets it aside and salvages what can be read'
      : (systemRepair(error) ??
        'move it away to start with an empty one, or restore a backup from its folder'),
    cause: error,
  });
}

function tables(connection: Connection, file: string, repaired: Repaired | null) {
  return {
    connection,
    events: new EventTable({ connection }),
    summaries: new SummaryTable({ connection }),
    embeddings: new EmbeddingTable({ connection }),
    edges: new EdgeTable({ connection }),
    candidatePairs: new CandidatePairTable({ connection }),
    subjects: new SubjectTable({ connection }),
    prompts: new PromptTable({ connection }),
    digests: new DigestTable({ connection }),
    stats: new Stats({ connection }),
    usage: new UsageTable({ connection }),
    settings: new SettingTable({ connection }),
    retention: new RetentionTable({ connection }),
    /** The repair of a damaged file at the opening; null if there was none. */
    repaired,
    /** Damage was found: the next opening with `repair` sets the file aside. */
    damaged: (what: string) => markDamaged(file, what),
    close: () => connection.close(),
  };
}
