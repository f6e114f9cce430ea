import { parseJson } from '#core/event';
import {
  salvageBatchKeys,
  salvageFailuresMin,
  salvageFailuresPerPage,
  salvageLooksPerPage,
  salvageRowBytesMin,
} from '#core/limits';
import { rethrowBusy } from '../busy.ts';
import type { Connection } from '../connection.ts';
import { number, type Row } from '../row.ts';

export interface Copied {
  /**
   * The most rows that may be missing: the keys in unreadable ranges. A partly read table without numeric keys counts as
   * `salvageBatchKeys`, about a page. Limited by the rows of an index, or by what the file can hold.
   */
  readonly unreadable: number;
  /** Reads that failed because of damage. */
  readonly failedReads: number;
}

/**
 * Copies one table into the new database. The work is bounded for any damage: by a number of failed reads for each page, and by
 * the rows that fit into the pages.
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
  #copied = 0;
  #failedReads = 0;

  /** `derived`: columns that are not copied, since they are computed from others. */
  constructor(source: Connection, target: Connection, table: string, derived: readonly string[] = []) {
    this.#source = source;
    this.#target = target;
    this.#table = table;
    const sourceNames = new Set(columnsOf(source, table).map(({ name }) => name));
    this.#columns = columnsOf(target, table).filter(
      ({ name }) => sourceNames.has(name) && !derived.includes(name),
    );
    const names = this.#columns.map(({ name }) => name).join(', ');
    this.#select = `SELECT ${names} FROM ${table}`;
    const places = this.#columns.map(() => '?').join(', ');
    this.#insert = `INSERT OR IGNORE INTO ${table} (${names}) VALUES (${places})`;
    this.#pages = source.number('PRAGMA page_count');
    const pageBytes = source.number('PRAGMA page_size');
    this.#rowsMax = Math.ceil((this.#pages * pageBytes) / salvageRowBytesMin);
  }

  /**
   * Copies the rows with keys from 1 to `high`. A range with damage is halved, the widest first, so that only narrow ranges are
   * left unread when too many reads have failed.
   */
  byKey(key: string, high: number): Copied {
    let unreadable = 0;
    const failuresMax = salvageFailuresMin + salvageFailuresPerPage * this.#pages;
    const ranges: Range[] = this.#columns.length === 0 || high < 1 ? [] : [{ low: 1, high }];
    // The array grows during the loop.
    for (const range of ranges) {
      if (this.#failedReads >= failuresMax) {
        unreadable += range.high - range.low + 1;
        continue;
      }
      const rest = this.#range(key, range);
      unreadable += rest.invalid;
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
   * Reads the missing keys one by one. A damaged inner page makes a range skip rows without an error; a lookup by key takes
   * another path through the tree.
   */
  #oneByOne(key: string, high: number, failuresMax: number): void {
    const sql = `${this.#select} WHERE ${key} = ?`;
    let looksLeft = salvageLooksPerPage * this.#pages;
    for (const lost of this.#gaps(key, high)) {
      if (looksLeft === 0 || this.#failedReads >= failuresMax) return;
      looksLeft -= 1;
      try {
        for (const row of this.#source.all(sql, lost)) this.#copyRow(row);
      } catch (error) {
        rethrowBusy(error);
        this.#failedReads += 1;
      }
    }
  }

  /** The keys from 1 to `high` without a copied row. */
  *#gaps(key: string, high: number): Generator<number> {
    const sql = `SELECT DISTINCT ${key} AS copied FROM ${this.#table} WHERE ${key} > ? ORDER BY ${key} LIMIT ?`;
    for (let before = 0; before < high; ) {
      const rows = this.#target.all(sql, before, salvageBatchKeys);
      for (const next of [
        ...rows.map((row) => number(row, 'copied')),
        ...(rows.length === 0 ? [high + 1] : []),
      ]) {
        for (let lost = before + 1; lost < next && lost <= high; lost += 1) yield lost;
        before = next;
      }
    }
  }

  /** Copies a range up to the first damage: `low` is then the first key that was not read. */
  #range(key: string, { low, high }: Range): { readonly low: number | null; readonly invalid: number } {
    const sql = `${this.#select} WHERE ${key} BETWEEN ? AND ? ORDER BY ${key} LIMIT ?`;
    let invalid = 0;
    let from = low;
    for (let limit = salvageBatchKeys; ; ) {
      let rows: readonly Row[];
      try {
        rows = this.#source.all(sql, from, high, limit);
      } catch (error) {
        rethrowBusy(error);
        this.#failedReads += 1;
        return { low: from, invalid };
      }
      invalid += rows.reduce((count, row) => count + (this.#copyRow(row) ? 0 : 1), 0);
      if (rows.length < limit) return { low: null, invalid };
      const last = rows.at(-1)?.[key];
      // On a damaged page the order may be circular.
      if (typeof last !== 'number' || last < from || limit > this.#rowsMax) {
        this.#failedReads += 1;
        return { low: from, invalid };
      }
      // The last key is read again: several edges share one.
      if (last === from) limit *= 2;
      from = last;
    }
  }

  /** How many more rows an index knows than were copied; if it cannot be read, `guess`, limited by the file's size. */
  #missing(guess: number): number {
    try {
      const known = this.#source.number(`SELECT count(*) AS n FROM ${this.#table}`);
      return Math.max(0, known - this.#copied);
    } catch (error) {
      rethrowBusy(error);
      return Math.max(0, Math.min(guess, this.#rowsMax - this.#copied));
    }
  }

  /** Copies a table without numeric keys from both ends up to the damage. */
  fromBothEnds(): Copied {
    if (this.#columns.length === 0 || this.#walk('>', 'ASC')) return { unreadable: 0, failedReads: 0 };
    this.#walk('<', 'DESC');
    return { unreadable: salvageBatchKeys, failedReads: this.#failedReads };
  }

  /** Copies rows in the order of their keys; returns whether it reached the end. */
  #walk(beyond: '<' | '>', order: 'ASC' | 'DESC'): boolean {
    const keys = this.#columns
      .filter(({ keyPosition }) => keyPosition > 0)
      .sort((a, b) => a.keyPosition - b.keyPosition);
    const names = keys.map(({ name }) => name);
    const behind = `WHERE (${names.join(', ')}) ${beyond} (${names.map(() => '?').join(', ')})`;
    const end = `ORDER BY ${names.map((name) => `${name} ${order}`).join(', ')} LIMIT ?`;
    let after: readonly (string | number)[] = [];
    // On a damaged page the order may be circular.
    for (let limit = salvageBatchKeys, left = this.#rowsMax; limit >= 1 && left > 0; ) {
      let rows: readonly Row[];
      try {
        rows = this.#source.all(`${this.#select} ${after.length > 0 ? behind : ''} ${end}`, ...after, limit);
      } catch (error) {
        rethrowBusy(error);
        // Approaches the damaged page with smaller batches.
        this.#failedReads += 1;
        limit = Math.floor(limit / 2);
        continue;
      }
      for (const row of rows) this.#copyRow(row);
      const last = rows.at(-1);
      if (last === undefined || rows.length < limit) return true;
      after = keys.flatMap((key) => fitting(last, key) ?? []);
      if (after.length < keys.length) return false;
      left -= rows.length;
    }
    return false;
  }

  /** Returns false for a row whose values do not fit their columns, as a damaged page may give. */
  #copyRow(row: Row): boolean {
    const values = this.#columns.map((column) => fitting(row, column));
    if (values.includes(undefined)) return false;
    this.#copied += this.#target.run(this.#insert, ...values.filter((value) => value !== undefined));
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
  /** The position in the primary key, from 1; 0 if not in it. */
  readonly keyPosition: number;
}

function columnsOf(connection: Connection, table: string): Column[] {
  try {
    return connection.all(`PRAGMA table_info(${table})`).map((row) => ({
      name: String(row.name),
      type: String(row.type),
      isOptional: number(row, 'notnull') === 0,
      keyPosition: number(row, 'pk'),
    }));
  } catch (error) {
    rethrowBusy(error);
    // The schema cannot be read.
    return [];
  }
}

/** The value, or undefined if the column cannot hold it. */
function fitting(row: Row, { name, type, isOptional }: Column): string | number | null | undefined {
  const value = row[name];
  if (value === null && isOptional) return null;
  if (type === 'INTEGER') return typeof value === 'number' ? value : undefined;
  if (typeof value !== 'string') return undefined;
  return name === 'payload_json' && parseJson(value) === undefined ? undefined : value;
}
