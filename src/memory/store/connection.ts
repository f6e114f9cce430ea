import fs from 'node:fs';
import v8 from 'node:v8';
import vm from 'node:vm';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import { busyTimeoutMs } from '../../core/limits.ts';
import { checkOwnFile, faultPoint, identityOf } from '../../core/platform/index.ts';
import { isLockError, lockFailure } from './busy.ts';
import { movedFailure } from './moved.ts';
import type { Row } from './row.ts';

// Of a connection that has waited for longer than that in vain, until it can write again.
const blockedTimeoutMs = 250;

/** What SQLite takes as a bound value. */
type Bound = null | number | bigint | string | Uint8Array;

/**
 * One SQLite connection with its prepared statements; everything the tables below it need. Each of its methods throws Failure `busy`
 * when another program holds the database locked for longer than `busyTimeoutMs`.
 */
export class Connection {
  readonly #file: string;
  readonly #database: DatabaseSyncInstance;
  /** Which files it works on: the database and SQLite's log; null for one that was not there yet. */
  #files: readonly (string | null)[];
  readonly #statements = new Map<string, StatementSyncInstance>();

  constructor(file: string, options: { readonly readOnly: boolean }) {
    this.#file = file;
    checkDatabaseFiles(file);
    this.#database = new DatabaseSync(file, {
      readOnly: options.readOnly,
      timeout: blocked.has(file) ? blockedTimeoutMs : busyTimeoutMs,
    });
    this.#files = [identityOf(file), null];
    this.exec('PRAGMA foreign_keys = ON');
  }

  /** Runs statements that give no rows back. */
  exec(sql: string): void {
    this.#unlessLocked(() => this.#database.exec(sql));
  }

  all(sql: string, ...values: Bound[]): Row[] {
    return this.#unlessLocked(() => this.#prepare(sql).all(...values) as Row[]);
  }

  get(sql: string, ...values: Bound[]): Row | undefined {
    return this.#unlessLocked(() => this.#prepare(sql).get(...values) as Row | undefined);
  }

  /** How many rows were changed. */
  run(sql: string, ...values: Bound[]): number {
    const { changes } = this.#unlessLocked(() => this.#prepare(sql).run(...values));
    this.#written();
    return Number(changes);
  }

  /** Changes after every write, of this connection or of another. */
  changes(): string {
    return `${this.get('SELECT total_changes() AS n')?.n} ${this.dataVersion()}`;
  }

  /** Changes when another connection has written (https://www.sqlite.org/pragma.html#pragma_data_version). */
  dataVersion(): number {
    return Number(this.get('PRAGMA data_version')?.data_version);
  }

  /** Whether there is such a table: a database that no daemon has opened since an older version has not all of them. */
  hasTable(name: string): boolean {
    const sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?";
    return this.get(sql, name) !== undefined;
  }

  /** The same of a column. */
  hasColumn(table: string, name: string): boolean {
    return this.get('SELECT 1 FROM pragma_table_info(?) WHERE name = ?', table, name) !== undefined;
  }

  /**
   * All of `work` or nothing. The write lock is taken at once: two writers queue (up to `busyTimeoutMs`)
   * instead of failing when a reader turns writer (https://www.sqlite.org/lang_transaction.html).
   * @throws Failure `moved_database` when it went into a file that is not at the path any more
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
   * SQLite goes on with a file that was moved or removed, and so would whoever believes its commits. What SQLite's log still holds of it
   * is brought into it first: the log stays behind at the path, where the next connection throws it away.
   * @throws Failure `moved_database`
   */
  mustBeInPlace(): void {
    const there = [identityOf(this.#file), identityOf(`${this.#file}-wal`)];
    const isSame = this.#files.every((known, at) => known === null || known === there[at]);
    this.#files = isSame ? there : this.#files;
    if (isSame) return;
    this.get('PRAGMA wal_checkpoint(TRUNCATE)');
    throw movedFailure(this.#file);
  }

  /** @throws Failure `busy` for a lock, all else as it is */
  #unlessLocked<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isLockError(error)) throw error;
      // Whoever comes next, and does not need the lock, shall not wait behind one long wait after the other.
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
   * SQLite takes the log file away with the last of the connection's statements, and those end when they are collected as
   * garbage: the binding has no other way. So they are collected here where the file is still there, or it would be left to
   * the thread's end.
   */
  close(): void {
    this.#statements.clear();
    this.#database.close();
    for (let round = 0; round < 2 && fs.existsSync(`${this.#file}-wal`); round += 1) collectGarbage();
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

/** SQLite would follow a link, and write to a file of anybody's. @throws Failure `unsafe_file` */
export function checkDatabaseFiles(file: string): void {
  for (const part of ['', '-wal', '-shm', '-journal']) checkOwnFile(`${file}${part}`);
}

/** Files that this thread has waited for in vain since it could last write to them. */
const blocked = new Set<string>();

let collect: unknown = null;

function collectGarbage(): void {
  if (collect === null) {
    v8.setFlagsFromString('--expose-gc');
    collect = vm.runInNewContext('gc');
  }
  if (typeof collect === 'function') collect();
}
