import { archivePageRows } from '#core/limits';
import { rethrowBusy } from '../busy.ts';
import { Connection } from '../connection.ts';
import { number, rowReader, text } from '../row.ts';
import { copyWithHeader, removeCopy } from '../schema/header.ts';
import { migrate } from '../schema/migrate.ts';
import { rebuildDuplicates } from '../tables/duplicates.ts';
import { messageColumns, messageToolNames } from '../tables/message-columns.ts';
import { rebuildCopies } from './clean-copies.ts';
import { type Copied, TableCopy } from './table-copy.ts';

export type Salvaged = ReturnType<typeof storedIn> & Copied;

/**
 * Copies what can be read of the damaged database `from` into a new one at `to`, except vectors and the lexical index, which can be
 * rebuilt. Reads by SQL only, since raw pages may still hold what the user made memd forget. A summary whose event is lost keeps
 * its id, text and pin, with a placeholder event.
 */
export function salvage(from: string, to: string): Salvaged {
  const target = new Connection(to, { readOnly: false });
  const copy = sourceCopyOf(to);
  try {
    migrate(target, to);
    // Rows come in any order and some are lost; `fixReferences` handles that at the end.
    target.exec('PRAGMA foreign_keys = OFF');
    const source = readable(from) ?? readableByHeader(from, copy);
    try {
      return target.transaction(() => {
        const copied = source === null ? nothing : copyTables(source, target);
        markMessages(target);
        fixReferences(target);
        // What was still to be sent may be lost: the next sync sends everything again.
        target.run("DELETE FROM settings WHERE name = 'sync.journal'");
        rebuildDuplicates(target);
        rebuildCopies(target);
        return { ...storedIn(target), ...copied };
      });
    } finally {
      source?.close();
    }
  } finally {
    target.close();
    removeCopy(copy);
  }
}

/** The path of a copy of the damaged database that is read if its header is damaged. */
export function sourceCopyOf(to: string): string {
  return `${to}-source`;
}

/** A few wrong bytes in the header make a file unreadable although its pages are intact. */
function readableByHeader(from: string, copy: string): Connection | null {
  try {
    copyWithHeader(from, copy);
  } catch {
    // For example a full disk: nothing is salvaged, and the file is kept.
    return null;
  }
  return readable(copy);
}

/** The damaged database, or null if not even its first page can be read. */
function readable(file: string): Connection | null {
  let connection: Connection | null = null;
  try {
    connection = new Connection(file, { readOnly: true });
    connection.get('SELECT count(*) FROM sqlite_schema');
    return connection;
  } catch (error) {
    connection?.close();
    rethrowBusy(error);
    // Nothing can be salvaged by SQL; the file is kept.
    return null;
  }
}

export const nothing: Copied = { unreadable: 0, failedReads: 0 };

function copyTables(source: Connection, target: Connection): Copied {
  const copied: Copied[] = [];
  for (const [table, key, numbers] of [
    ['events', 'seq', 'events'],
    ['summaries', 'id', 'summaries'],
    ['edges', 'from_id', 'summaries'],
  ] as const) {
    const high = highestKey(source, numbers);
    const derived = table === 'events' ? messageColumnNames : [];
    copied.push(new TableCopy(source, target, table, derived).byKey(key, high ?? Number.MAX_SAFE_INTEGER));
    if (table !== 'edges' && high !== null) keepNumbering(target, table, high);
  }
  for (const table of [
    'usage',
    'settings',
    'forgotten',
    'prompts',
    'paired',
    'unpaired',
    'natives',
    'session_links',
    'given',
    ...synced,
  ] as const) {
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

const synced = ['sync_pins', 'sync_forgotten', 'promoted'] as const;

/** The highest key that the table can have had; null if it cannot be read. */
function highestKey(source: Connection, table: 'events' | 'summaries'): number | null {
  const { key, index } = numbered[table];
  // An index has other pages than its table, so one of these may be readable.
  const queries = [
    `SELECT seq AS high FROM sqlite_sequence WHERE name = '${table}'`,
    `SELECT coalesce(max(${key}), 0) AS high FROM ${table}`,
    `SELECT coalesce(max(${key}), 0) AS high FROM ${table} INDEXED BY ${index}`,
  ];
  const found = queries.flatMap((sql) => {
    try {
      const high = source.get(sql)?.high;
      return typeof high === 'number' && high >= 0 ? [high] : [];
    } catch (error) {
      rethrowBusy(error);
      // The next query may succeed.
      return [];
    }
  });
  return found.length === 0 ? null : Math.min(Math.max(...found), Number.MAX_SAFE_INTEGER);
}

const numbered = {
  events: { key: 'seq', index: 'events_status' },
  summaries: { key: 'id', index: 'summaries_ts' },
} as const;

/** A lost key is never used again: people and edges may still refer to it. */
function keepNumbering(target: Connection, table: string, high: number): void {
  target.run('DELETE FROM sqlite_sequence WHERE name = ?', table);
  target.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, high);
}

/** The payload says whether an event is a message: damage to these columns costs no event. */
const messageColumnNames = ['kind', 'role', 'turn_id'];

function markMessages(target: Connection): void {
  const sql = `SELECT seq, tool, payload_json FROM events WHERE tool IN (${messageToolNames}) AND seq > ? ORDER BY seq LIMIT ?`;
  for (const row of target.paged(sql, archivePageRows, { seq: 0 })) {
    const columns = messageColumns(text(row, 'tool'), text(row, 'payload_json'));
    const update = 'UPDATE events SET kind = ?, role = ?, turn_id = ? WHERE seq = ?';
    target.run(update, ...columns, number(row, 'seq'));
  }
}

function fixReferences(target: Connection): void {
  target.run(`
    INSERT INTO events (id, ts, session_id, tool, client, payload_json, status)
    SELECT event_id, ts, '', 'unknown', 'unknown', json_object('tool', 'unknown', 'input', NULL,
      'output', 'lost with a damaged page of the database', 'sessionId', '', 'toolUseId', NULL, 'ts', ts,
      'client', 'unknown', 'isError', json('false'), 'cwd', NULL), 'summarized'
    FROM summaries WHERE event_id NOT IN (SELECT id FROM events)`);
  // A lost call may be stored again; a forgotten one may not.
  for (const table of ['paired', 'unpaired'])
    target.run(`DELETE FROM ${table} WHERE event_id NOT IN (SELECT id FROM events)
      AND event_id NOT IN (SELECT event_id FROM forgotten)`);
  target.run('DELETE FROM promoted WHERE event_id NOT IN (SELECT id FROM events)');
  target.run(`UPDATE events SET lease_owner = NULL, lease_until = 0`);
  // Subjects are not copied: the curator extracts them again.
  target.run(`UPDATE summaries SET curated = 0`);
  target.run(`UPDATE events SET status = 'raw'
    WHERE status = 'summarized' AND id NOT IN (SELECT event_id FROM summaries)`);
  target.run(`DELETE FROM edges
    WHERE from_id NOT IN (SELECT id FROM summaries) OR to_id NOT IN (SELECT id FROM summaries)`);
}

const readStored = rowReader({ events: number, summaries: number });
export function storedIn(connection: Connection): ReturnType<typeof readStored> {
  const sql = 'SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM summaries) AS summaries';
  return readStored(connection.get(sql) ?? {});
}
