import { salvageBatchKeys, salvageKeysMax } from '../limits.ts';
import { Connection } from './connection.ts';
import { migrate } from './migrate.ts';
import { number, type Row } from './row.ts';
import { rebuildTwins } from './twins.ts';

export interface Salvaged {
  readonly events: number;
  readonly summaries: number;
  /**
   * Keys that fell into what cannot be read: so many rows may be missing, not so many must. A table whose keys are no numbers
   * and that was not read through counts as `salvageBatchKeys`, about what a page holds.
   */
  readonly unreadable: number;
}

/**
 * Reads what can be read of the damaged database `from` into a new one at `to`: the tables that cannot be made anew
 * (vectors and the lexical index can). It goes through SQL, by ranges of keys and, around a damaged page, row by row;
 * never through the raw pages, which still hold what the user has made memd forget. A summary whose event is lost
 * keeps its id, text and pin beside an event that says so.
 */
export function salvage(from: string, to: string): Salvaged {
  const target = new Connection(to, { readOnly: false });
  try {
    migrate(target, to);
    // Rows come in any order and some never; what points nowhere is put right at the end.
    target.exec('PRAGMA foreign_keys = OFF');
    const source = readable(from);
    try {
      return target.transaction(() => {
        const unreadable = source === null ? 0 : copyTables(source, target);
        putRight(target);
        rebuildTwins(target);
        return { events: count(target, 'events'), summaries: count(target, 'summaries'), unreadable };
      });
    } finally {
      source?.close();
    }
  } finally {
    target.close();
  }
}

/** The damaged database, or null when not even its first page can be read. */
function readable(file: string): Connection | null {
  let connection: Connection | null = null;
  try {
    connection = new Connection(file, { readOnly: true });
    connection.get('SELECT count(*) FROM sqlite_schema');
    return connection;
  } catch {
    // Nothing can be salvaged by SQL; the file is kept for better tools.
    connection?.close();
    return null;
  }
}

function copyTables(source: Connection, target: Connection): number {
  let unreadable = 0;
  for (const [table, key, numbers] of [
    ['events', 'seq', 'events'],
    ['summaries', 'id', 'summaries'],
    ['edges', 'from_id', 'summaries'],
  ] as const) {
    const high = highestKey(source, numbers);
    const copy = new TableCopy(source, target, table, key);
    for (let low = 1; low <= high; low += salvageBatchKeys) {
      unreadable += copy.range(low, Math.min(high, low + salvageBatchKeys - 1));
    }
    if (table !== 'edges') keepNumbering(target, table, high);
  }
  for (const table of ['usage', 'settings', 'forgotten', 'prompts', 'paired', 'unpaired'] as const) {
    unreadable += new TableCopy(source, target, table, null).fromBothEnds();
  }
  return unreadable;
}

/** One table's way into the new database. */
class TableCopy {
  readonly #source: Connection;
  readonly #target: Connection;
  readonly #columns: readonly Column[];
  readonly #select: string;
  readonly #insert: string;
  readonly #key: string | null;

  constructor(source: Connection, target: Connection, table: string, key: string | null) {
    this.#source = source;
    this.#target = target;
    this.#key = key;
    const there = new Set(columnsOf(source, table).map(({ name }) => name));
    this.#columns = columnsOf(target, table).filter(({ name }) => there.has(name));
    const names = this.#columns.map(({ name }) => name).join(', ');
    this.#select = `SELECT ${names} FROM ${table}`;
    const places = this.#columns.map(() => '?').join(', ');
    this.#insert = `INSERT OR IGNORE INTO ${table} (${names}) VALUES (${places})`;
  }

  /** Copies the rows with keys from `low` to `high`; answers how many keys could not be read. */
  range(low: number, high: number): number {
    if (this.#columns.length === 0) return 0;
    let rows: readonly Row[];
    try {
      rows = this.#source.all(`${this.#select} WHERE ${this.#key} BETWEEN ? AND ?`, low, high);
    } catch {
      // A page of this range is damaged: closer and closer around it, down to the single key.
      if (low === high) return 1;
      const middle = Math.floor((low + high) / 2);
      return this.range(low, middle) + this.range(middle + 1, high);
    }
    return rows.reduce((lost, row) => lost + (this.#take(row) ? 0 : 1), 0);
  }

  /** A table whose keys are no numbers: from either end up to what cannot be read. */
  fromBothEnds(): number {
    if (this.#columns.length === 0 || this.#walk('>', 'ASC')) return 0;
    this.#walk('<', 'DESC');
    return salvageBatchKeys;
  }

  /** Copies rows in the order of their keys; whether it came to the end. */
  #walk(beyond: '<' | '>', order: 'ASC' | 'DESC'): boolean {
    const keys = this.#columns.filter(({ place }) => place > 0).sort((a, b) => a.place - b.place);
    const names = keys.map(({ name }) => name);
    const behind = `WHERE (${names.join(', ')}) ${beyond} (${names.map(() => '?').join(', ')})`;
    const end = `ORDER BY ${names.map((name) => `${name} ${order}`).join(', ')} LIMIT ?`;
    let after: readonly (string | number)[] = [];
    // On a damaged page the order may be a ring.
    for (let limit = salvageBatchKeys, left = salvageKeysMax; limit >= 1 && left > 0; ) {
      let rows: readonly Row[];
      try {
        rows = this.#source.all(`${this.#select} ${after.length > 0 ? behind : ''} ${end}`, ...after, limit);
      } catch {
        // Closer and closer to the damaged page, down to the single row.
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
    this.#target.run(this.#insert, ...values.filter((value) => value !== undefined));
    return true;
  }
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
  } catch {
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

/** The highest key that a table of that numbering can have. */
function highestKey(source: Connection, table: 'events' | 'summaries'): number {
  const key = table === 'events' ? 'seq' : 'id';
  const looks = [
    `SELECT seq AS high FROM sqlite_sequence WHERE name = '${table}'`,
    `SELECT max(${key}) AS high FROM ${table}`,
  ];
  const found = looks.flatMap((sql) => {
    try {
      const high = source.get(sql)?.high;
      return typeof high === 'number' && high > 0 ? [high] : [];
    } catch {
      // The other look may tell.
      return [];
    }
  });
  return Math.min(found.length === 0 ? salvageKeysMax : Math.max(...found), salvageKeysMax);
}

/** A key that is lost is never given to another row: people and edges may still name it. */
function keepNumbering(target: Connection, table: string, high: number): void {
  if (high === salvageKeysMax) return;
  target.run('DELETE FROM sqlite_sequence WHERE name = ?', table);
  target.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, high);
}

function putRight(target: Connection): void {
  target.run(`
    INSERT INTO events (id, ts, session_id, tool, client, payload_json, status)
    SELECT event_id, ts, '', 'unknown', 'unknown', json_object('tool', 'unknown', 'input', NULL,
      'output', 'lost with a damaged page of the database', 'sessionId', '', 'toolUseId', NULL, 'ts', ts,
      'client', 'unknown', 'isError', json('false'), 'cwd', NULL), 'summarized'
    FROM summaries WHERE event_id NOT IN (SELECT id FROM events)`);
  // A call that is lost may be told again; one that was forgotten may not.
  for (const table of ['paired', 'unpaired'])
    target.run(`DELETE FROM ${table} WHERE event_id NOT IN (SELECT id FROM events)
      AND event_id NOT IN (SELECT event_id FROM forgotten)`);
  target.run(`UPDATE events SET lease_owner = NULL, lease_until = 0`);
  // Subjects are not copied: the curator reads them from the payloads again.
  target.run(`UPDATE summaries SET curated = 0`);
  target.run(`UPDATE events SET status = 'raw'
    WHERE status = 'summarized' AND id NOT IN (SELECT event_id FROM summaries)`);
  target.run(`DELETE FROM edges
    WHERE from_id NOT IN (SELECT id FROM summaries) OR to_id NOT IN (SELECT id FROM summaries)`);
}

function count(connection: Connection, table: 'events' | 'summaries'): number {
  return number(connection.get(`SELECT count(*) AS n FROM ${table}`) ?? {}, 'n');
}
