import { rethrowBusy } from './busy.ts';
import { Connection } from './connection.ts';
import { rebuildDuplicates } from './duplicates.ts';
import { copyWithHeader, removeCopy } from './header.ts';
import { migrate } from './migrate.ts';
import { number } from './row.ts';
import { type Copied, TableCopy } from './table-copy.ts';

export interface Salvaged {
  readonly events: number;
  readonly summaries: number;
  /**
   * Keys that fell into what cannot be read: so many rows may be missing, not so many must. A table whose keys are no numbers
   * and that was not read through counts as `salvageBatchKeys`, about what a page holds. Never more than an index knows of rows, or
   * the file can hold where no index can be read.
   */
  readonly unreadable: number;
  /** Reads that met damage. */
  readonly failedReads: number;
}

/**
 * Reads what can be read of the damaged database `from` into a new one at `to`: the tables that cannot be made anew
 * (vectors and the lexical index can). It goes through SQL, by ranges of keys and, around a damaged page, row by row;
 * never through the raw pages, which still hold what the user has made memd forget. A summary whose event is lost
 * keeps its id, text and pin beside an event that says so.
 */
export function salvage(from: string, to: string): Salvaged {
  const target = new Connection(to, { readOnly: false });
  const copy = sourceCopyOf(to);
  try {
    migrate(target, to);
    // Rows come in any order and some never; what points nowhere is put right at the end.
    target.exec('PRAGMA foreign_keys = OFF');
    const source = readable(from) ?? readableByHeader(from, copy);
    try {
      return target.transaction(() => {
        const copied = source === null ? nothing : copyTables(source, target);
        putRight(target);
        rebuildDuplicates(target);
        return { events: count(target, 'events'), summaries: count(target, 'summaries'), ...copied };
      });
    } finally {
      source?.close();
    }
  } finally {
    target.close();
    removeCopy(copy);
  }
}

/** Where a copy of the damaged database lies while it is read, if that is needed. */
export function sourceCopyOf(to: string): string {
  return `${to}-source`;
}

/** A few wrong bytes in its header close a file whose pages are sound. */
function readableByHeader(from: string, copy: string): Connection | null {
  try {
    copyWithHeader(from, copy);
  } catch {
    // No room for a copy, say: the file is kept.
    return null;
  }
  return readable(copy);
}

/** The damaged database, or null when not even its first page can be read. */
function readable(file: string): Connection | null {
  let connection: Connection | null = null;
  try {
    connection = new Connection(file, { readOnly: true });
    connection.get('SELECT count(*) FROM sqlite_schema');
    return connection;
  } catch (error) {
    connection?.close();
    rethrowBusy(error);
    // Nothing can be salvaged by SQL; the file is kept for better tools.
    return null;
  }
}

const nothing: Copied = { unreadable: 0, failedReads: 0 };

function copyTables(source: Connection, target: Connection): Copied {
  const copied: Copied[] = [];
  for (const [table, key, numbers] of [
    ['events', 'seq', 'events'],
    ['summaries', 'id', 'summaries'],
    ['edges', 'from_id', 'summaries'],
  ] as const) {
    const high = highestKey(source, numbers);
    copied.push(new TableCopy(source, target, table).byKey(key, high ?? Number.MAX_SAFE_INTEGER));
    if (table !== 'edges' && high !== null) keepNumbering(target, table, high);
  }
  for (const table of ['usage', 'settings', 'forgotten', 'prompts', 'paired', 'unpaired'] as const) {
    copied.push(new TableCopy(source, target, table).fromBothEnds());
  }
  return copied.reduce(
    (sum, { unreadable, failedReads }) => ({
      unreadable: sum.unreadable + unreadable,
      failedReads: sum.failedReads + failedReads,
    }),
    nothing,
  );
}

/** The highest key that a table of that numbering can have had, by what can be read of the file; null when nothing tells. */
function highestKey(source: Connection, table: 'events' | 'summaries'): number | null {
  const { key, index } = numbered[table];
  // An index is another part of the file than its table: of an empty one it says so.
  const looks = [
    `SELECT seq AS high FROM sqlite_sequence WHERE name = '${table}'`,
    `SELECT coalesce(max(${key}), 0) AS high FROM ${table}`,
    `SELECT coalesce(max(${key}), 0) AS high FROM ${table} INDEXED BY ${index}`,
  ];
  const found = looks.flatMap((sql) => {
    try {
      const high = source.get(sql)?.high;
      return typeof high === 'number' && high >= 0 ? [high] : [];
    } catch (error) {
      rethrowBusy(error);
      // Another look may tell.
      return [];
    }
  });
  return found.length === 0 ? null : Math.min(Math.max(...found), Number.MAX_SAFE_INTEGER);
}

const numbered = {
  events: { key: 'seq', index: 'events_status' },
  summaries: { key: 'id', index: 'summaries_ts' },
} as const;

/** A key that is lost is never given to another row: people and edges may still name it. */
function keepNumbering(target: Connection, table: string, high: number): void {
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
