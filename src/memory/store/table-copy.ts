import {
  salvageBatchKeys,
  salvageFailuresMin,
  salvageFailuresPerPage,
  salvageLooksPerPage,
  salvageRowBytesMin,
} from '../../core/limits.ts';
import { rethrowBusy } from './busy.ts';
import type { Connection } from './connection.ts';
import { number, type Row } from './row.ts';

/** What copying a table has come to. */
export interface Copied {
  /** Rows that may be missing. */
  readonly unreadable: number;
  /** Reads that met damage. */
  readonly failedReads: number;
}

/**
 * One table's way into the new database. However the damage lies, the work is bounded by what the file can hold: so many reads may
 * fail for each of its pages, and no table has more rows than fit into them.
 */
export class TableCopy {
  readonly #source: Connection;
  readonly #target: Connection;
  readonly #table: string;
  readonly #columns: readonly Column[];
  readonly #select: string;
  readonly #insert: string;
  readonly #pages: number;
  readonly #rowsMax: number;
  #taken = 0;
  #failedReads = 0;

  constructor(source: Connection, target: Connection, table: string) {
    this.#source = source;
    this.#target = target;
    this.#table = table;
    const there = new Set(columnsOf(source, table).map(({ name }) => name));
    this.#columns = columnsOf(target, table).filter(({ name }) => there.has(name));
    const names = this.#columns.map(({ name }) => name).join(', ');
    this.#select = `SELECT ${names} FROM ${table}`;
    const places = this.#columns.map(() => '?').join(', ');
    this.#insert = `INSERT OR IGNORE INTO ${table} (${names}) VALUES (${places})`;
    this.#pages = number(source.get('PRAGMA page_count') ?? {}, 'page_count');
    const pageBytes = number(source.get('PRAGMA page_size') ?? {}, 'page_size');
    this.#rowsMax = Math.ceil((this.#pages * pageBytes) / salvageRowBytesMin);
  }

  /**
   * Copies the rows with keys from 1 to `high`. A range that meets damage is halved, the widest first: when too many reads have
   * failed, only narrow ranges are left unread.
   */
  byKey(key: string, high: number): Copied {
    let unreadable = 0;
    const failuresMax = salvageFailuresMin + salvageFailuresPerPage * this.#pages;
    const ranges: Range[] = this.#columns.length === 0 || high < 1 ? [] : [{ low: 1, high }];
    // The array grows while it is walked through.
    for (const range of ranges) {
      if (this.#failedReads >= failuresMax) {
        unreadable += range.high - range.low + 1;
        continue;
      }
      const rest = this.#range(key, range);
      unreadable += rest.nonsense;
      if (rest.low === null) continue;
      const { low } = rest;
      const middle = low + Math.floor((range.high - low) / 2);
      if (low === range.high) unreadable += 1;
      else ranges.push({ low, high: middle }, { low: middle + 1, high: range.high });
    }
    if (high < Number.MAX_SAFE_INTEGER) this.#oneByOne(key, high, failuresMax);
    return { unreadable: this.#missing(unreadable), failedReads: this.#failedReads };
  }

  /**
   * Asks for the keys that are not taken, each alone. A damaged inner page leads a range past its rows without an error, and reading a
   * range steps on to the row behind it; what is asked for by its key comes by another way.
   */
  #oneByOne(key: string, high: number, failuresMax: number): void {
    const sql = `${this.#select} WHERE ${key} = ?`;
    let looksLeft = salvageLooksPerPage * this.#pages;
    for (const lost of this.#gaps(key, high)) {
      if (looksLeft === 0 || this.#failedReads >= failuresMax) return;
      looksLeft -= 1;
      try {
        for (const row of this.#source.all(sql, lost)) this.#take(row);
      } catch (error) {
        rethrowBusy(error);
        this.#failedReads += 1;
      }
    }
  }

  /** The keys from 1 to `high` of which no row is taken. */
  *#gaps(key: string, high: number): Generator<number> {
    const sql = `SELECT DISTINCT ${key} AS taken FROM ${this.#table} WHERE ${key} > ? ORDER BY ${key} LIMIT ?`;
    for (let before = 0; before < high; ) {
      const rows = this.#target.all(sql, before, salvageBatchKeys);
      for (const next of [
        ...rows.map((row) => number(row, 'taken')),
        ...(rows.length === 0 ? [high + 1] : []),
      ]) {
        for (let lost = before + 1; lost < next && lost <= high; lost += 1) yield lost;
        before = next;
      }
    }
  }

  /** Copies a range up to where it meets damage: `low` is then the first key that was not read. */
  #range(key: string, { low, high }: Range): { readonly low: number | null; readonly nonsense: number } {
    const sql = `${this.#select} WHERE ${key} BETWEEN ? AND ? ORDER BY ${key} LIMIT ?`;
    let nonsense = 0;
    let from = low;
    for (let limit = salvageBatchKeys; ; ) {
      let rows: readonly Row[];
      try {
        rows = this.#source.all(sql, from, high, limit);
      } catch (error) {
        rethrowBusy(error);
        this.#failedReads += 1;
        return { low: from, nonsense };
      }
      nonsense += rows.reduce((count, row) => count + (this.#take(row) ? 0 : 1), 0);
      if (rows.length < limit) return { low: null, nonsense };
      const last = rows.at(-1)?.[key];
      // On a damaged page the order may be a ring.
      if (typeof last !== 'number' || last < from || limit > this.#rowsMax) {
        this.#failedReads += 1;
        return { low: from, nonsense };
      }
      // The last key is read once more: an edge's key is not its own alone.
      if (last === from) limit *= 2;
      from = last;
    }
  }

  /** How many rows an index, which is another part of the file, knows more than were taken; else `guess`, as far as the file can hold it. */
  #missing(guess: number): number {
    try {
      const known = number(this.#source.get(`SELECT count(*) AS n FROM ${this.#table}`) ?? {}, 'n');
      return Math.max(0, known - this.#taken);
    } catch (error) {
      rethrowBusy(error);
      return Math.max(0, Math.min(guess, this.#rowsMax - this.#taken));
    }
  }

  /** A table whose keys are no numbers: from either end up to what cannot be read. */
  fromBothEnds(): Copied {
    if (this.#columns.length === 0 || this.#walk('>', 'ASC')) return { unreadable: 0, failedReads: 0 };
    this.#walk('<', 'DESC');
    return { unreadable: salvageBatchKeys, failedReads: this.#failedReads };
  }

  /** Copies rows in the order of their keys; whether it came to the end. */
  #walk(beyond: '<' | '>', order: 'ASC' | 'DESC'): boolean {
    const keys = this.#columns.filter(({ place }) => place > 0).sort((a, b) => a.place - b.place);
    const names = keys.map(({ name }) => name);
    const behind = `WHERE (${names.join(', ')}) ${beyond} (${names.map(() => '?').join(', ')})`;
    const end = `ORDER BY ${names.map((name) => `${name} ${order}`).join(', ')} LIMIT ?`;
    let after: readonly (string | number)[] = [];
    // On a damaged page the order may be a ring.
    for (let limit = salvageBatchKeys, left = this.#rowsMax; limit >= 1 && left > 0; ) {
      let rows: readonly Row[];
      try {
        rows = this.#source.all(`${this.#select} ${after.length > 0 ? behind : ''} ${end}`, ...after, limit);
      } catch (error) {
        rethrowBusy(error);
        // Closer and closer to the damaged page, down to the single row.
        this.#failedReads += 1;
        limit = Math.floor(limit / 2);
        continue;
      }
      for (const row of rows) this.#take(row);
      const last = rows.at(-1);
      if (last === undefined || rows.length < limit) return true;
      after = keys.flatMap((key) => fitting(last, key) ?? []);
      if (after.length < keys.length) return false;
      left -= rows.length;
    }
    return false;
  }

  /** A damaged page may read as a row of nonsense: only what fits its columns is taken. */
  #take(row: Row): boolean {
    const values = this.#columns.map((column) => fitting(row, column));
    if (values.includes(undefined)) return false;
    this.#taken += this.#target.run(this.#insert, ...values.filter((value) => value !== undefined));
    return true;
  }
}

interface Range {
  readonly low: number;
  readonly high: number;
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  /** In the primary key, from 1; 0 when it is not in there. */
  readonly place: number;
}

function columnsOf(connection: Connection, table: string): Column[] {
  try {
    return connection.all(`PRAGMA table_info(${table})`).map((row) => ({
      name: String(row.name),
      type: String(row.type),
      isOptional: number(row, 'notnull') === 0,
      place: number(row, 'pk'),
    }));
  } catch (error) {
    rethrowBusy(error);
    // A schema that cannot be read has no columns to copy.
    return [];
  }
}

/** The value, or undefined when it is none that the column can hold. */
function fitting(row: Row, { name, type, isOptional }: Column): string | number | null | undefined {
  const value = row[name];
  if (value === null && isOptional) return null;
  if (type === 'INTEGER') return typeof value === 'number' ? value : undefined;
  if (typeof value !== 'string') return undefined;
  return name === 'payload_json' && !isJson(value) ? undefined : value;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
