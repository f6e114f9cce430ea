import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import { busyTimeoutMs } from '#core/limits';
import { checkOwnFile, faultPoint, identityOf } from '#core/platform';
import { collectGarbage } from '#core/thread';
import { isLockError, lockFailure } from './busy.ts';
import { movedFailure } from './moved.ts';
import { number, type Row, text } from './row.ts';

// The timeout of a connection that has waited for `busyTimeoutMs` without success, until it can write again.
const blockedTimeoutMs = 250;

type Bound = null | number | bigint | string | Uint8Array;

/**
 * One SQLite connection with its prepared statements. Each method throws Failure `busy` if another program locks the database for
 * longer than `busyTimeoutMs`.
 */
export class Connection {
  readonly #file: string;
  readonly #readOnly: boolean;
  readonly #database: DatabaseSyncInstance;
  /** The identities of the open database and SQLite's log; null for a file that did not exist yet. */
  #files: readonly (string | null)[];
  readonly #statements = new Map<string, StatementSyncInstance>();

  /** `immutable`: reads without locks and without SQLite's log; only for a database that nobody has open. */
  constructor(file: string, options: { readonly readOnly: boolean; readonly immutable?: boolean }) {
    this.#file = file;
    this.#readOnly = options.readOnly;
    checkDatabaseFiles(file);
    const address = options.immutable ? `${pathToFileURL(file).href}?immutable=1` : file;
    this.#database = new DatabaseSync(address, {
      readOnly: options.readOnly,
      timeout: blocked.has(file) ? blockedTimeoutMs : busyTimeoutMs,
    });
    this.#files = [identityOf(file), null];
    this.exec('PRAGMA foreign_keys = ON');
  }

  /** Runs statements without results. */
  exec(sql: string): void {
    this.#unlessLocked(() => this.#database.exec(sql));
  }

  all(sql: string, ...values: Bound[]): Row[] {
    return this.#unlessLocked(() => this.#prepare(sql).all(...values) as Row[]);
  }

  get(sql: string, ...values: Bound[]): Row | undefined {
    return this.#unlessLocked(() => this.#prepare(sql).get(...values) as Row | undefined);
  }

  /** The first row as `read` gives it; null without one. */
  one<T>(sql: string, read: (row: Row) => T, ...values: Bound[]): T | null {
    const row = this.get(sql, ...values);
    return row === undefined ? null : read(row);
  }

  /** Whether there is a row. */
  has(sql: string, ...values: Bound[]): boolean {
    return this.get(sql, ...values) !== undefined;
  }

  /** The only number of the only row. */
  number(sql: string, ...values: Bound[]): number {
    return this.numbers(sql, ...values)[0] ?? 0;
  }

  /** The only column of each row. */
  numbers(sql: string, ...values: Bound[]): number[] {
    return this.all(sql, ...values).map((row) => number(row, Object.keys(row)[0] ?? ''));
  }

  texts(sql: string, ...values: Bound[]): string[] {
    return this.all(sql, ...values).map((row) => text(row, Object.keys(row)[0] ?? ''));
  }

  /** Returns how many rows were changed. */
  run(sql: string, ...values: Bound[]): number {
    const { changes } = this.#unlessLocked(() => this.#prepare(sql).run(...values));
    this.#written();
    return Number(changes);
  }

  /** Changes after every write, of this connection or of another. */
  changes(): string {
    const own = this.number('SELECT total_changes()');
    return `${own} ${this.dataVersion()}`;
  }

  /** Changes when another connection has written (https://www.sqlite.org/pragma.html#pragma_data_version). */
  dataVersion(): number {
    return this.number('PRAGMA data_version');
  }

  /** The highest `seq` of an event; 0 without events. */
  newestSeq(): number {
    return this.number('SELECT coalesce(max(seq), 0) FROM events');
  }

  /**
   * The rows of `sql`, `count` at a time. Its last parameters are the columns of `first` in the last row before, at first these values, and
   * `count`; `given` come before them.
   */
  *paged(
    sql: string,
    count: number,
    first: Readonly<Record<string, Bound>>,
    ...given: Bound[]
  ): Generator<Row> {
    for (let after = Object.values(first); ; ) {
      const page = this.all(sql, ...given, ...after, count);
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < count) return;
      after = Object.keys(first).map((column) => last[column] as Bound);
    }
  }

  /** A database that no daemon has opened since an older version lacks newer tables. Also of an index: both share one space of names. */
  hasTable(name: string): boolean {
    return this.has('SELECT 1 FROM sqlite_schema WHERE name = ?', name);
  }

  hasColumn(table: string, name: string): boolean {
    return this.has('SELECT 1 FROM pragma_table_info(?) WHERE name = ?', table, name);
  }

  /**
   * All of `work` or nothing. The write lock is taken first: two writers queue (up to `busyTimeoutMs`) instead of failing when
   * a reader becomes a writer (https://www.sqlite.org/lang_transaction.html).
   * @throws Failure `moved_database` if the file is not at its path any more
   */
  transaction<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      faultPoint('store.commit.before');
      this.exec('COMMIT');
      this.#written();
      faultPoint('store.commit.after');
      this.mustBeInPlace();
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /**
   * SQLite continues to write to a file that was moved or removed. The content of SQLite's log is copied into that file first:
   * the log stays at the path, where the next connection would delete it.
   * @throws Failure `moved_database`
   */
  mustBeInPlace(): void {
    const current = [identityOf(this.#file), identityOf(`${this.#file}-wal`)];
    const isSame = this.#files.every((known, at) => known === null || known === current[at]);
    this.#files = isSame ? current : this.#files;
    if (isSame) return;
    this.get('PRAGMA wal_checkpoint(TRUNCATE)');
    throw movedFailure(this.#file);
  }

  /** @throws Failure `busy` for a lock, every other error unchanged */
  #unlessLocked<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isLockError(error)) throw error;
      // The next callers shall not each wait for the full timeout.
      this.#database.exec(`PRAGMA busy_timeout = ${blockedTimeoutMs}`);
      blocked.add(this.#file);
      throw lockFailure(this.#file, error);
    }
  }

  #written(): void {
    if (!blocked.delete(this.#file)) return;
    this.#database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  }

  /**
   * SQLite removes its log with the last statement of the connection, and the binding ends statements only when they are
   * garbage-collected, in the next turn of the event loop. So they are collected here if the log still exists. A reader removes no log.
   */
  close(): void {
    this.#statements.clear();
    this.#database.close();
    if (!this.#readOnly && fs.existsSync(`${this.#file}-wal`)) collectGarbage();
  }

  #prepare(sql: string): StatementSyncInstance {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** What `work` gives with a connection that is closed then. */
export function withConnection<T>(
  file: string,
  options: { readonly readOnly: boolean },
  work: (connection: Connection) => T,
): T {
  const connection = new Connection(file, options);
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

/** SQLite would follow a link and write to its target. @throws Failure `unsafe_file` */
export function checkDatabaseFiles(file: string): void {
  for (const part of ['', '-wal', '-shm', '-journal']) checkOwnFile(`${file}${part}`);
}

/** Files whose lock this thread could not get since its last write to them. */
const blocked = new Set<string>();
