import { messageOf } from '../platform/index.ts';
import { Connection } from './connection.ts';
import { number, text, textOrNull } from './row.ts';

/** What a memory can be known by wherever it may lie. */
export interface Trace {
  readonly summaryId: number;
  readonly eventId: string;
  readonly toolUseId: string | null;
  readonly text: string;
  readonly payloadJson: string;
}

/** What is known of a memory that is to be erased, or null when there is none. */
export function traceOf(connection: Connection, summaryId: number): Trace | null {
  const sql = `SELECT e.id, e.tool_use_id, e.payload_json, s.id AS summary_id, s.text
    FROM summaries s JOIN events e ON e.id = s.event_id WHERE s.id = ?`;
  const row = connection.get(sql, summaryId);
  if (row === undefined) return null;
  return {
    summaryId: number(row, 'summary_id'),
    eventId: text(row, 'id'),
    toolUseId: textOrNull(row, 'tool_use_id'),
    text: text(row, 'text'),
    payloadJson: text(row, 'payload_json'),
  };
}

/** What became of an event in a copy of the database. */
export type ErasedFromCopy = 'erased' | 'not-there' | { readonly failed: string };

/**
 * Erases an event, with all that was made of it, from a copy of the database that nobody has open: its rows, its index
 * entry, and every byte of them. A copy that does not hold it is not written to.
 */
export function eraseFromCopy(file: string, eventId: string): ErasedFromCopy {
  let connection: Connection | null = null;
  try {
    if (!isIn(file, eventId)) return 'not-there';
    connection = new Connection(file, { readOnly: false });
    connection.exec('PRAGMA secure_delete = ON');
    connection.run('DELETE FROM events WHERE id = ?', eventId);
    eraseRemovedTerms(connection);
    connection.exec('VACUUM');
    emptyWal(connection);
    return 'erased';
  } catch (error) {
    // Damage is why most copies were laid aside; whoever asked is told which one could not be worked on.
    return { failed: messageOf(error) };
  } finally {
    connection?.close();
  }
}

/** Read-only: to look must not change a copy. */
function isIn(file: string, eventId: string): boolean {
  const connection = new Connection(file, { readOnly: true });
  try {
    return connection.get('SELECT 1 FROM events WHERE id = ?', eventId) !== undefined;
  } finally {
    connection.close();
  }
}

/**
 * Writes the lexical index anew without the terms of removed rows, which its segments would else only note as gone. Costs
 * time in proportion to the index, so it is for a removal that someone asked for. FTS5's own `secure-delete` does it bit by
 * bit, but from then on an SQLite before 3.42, as operators' shells have, cannot read the index.
 */
export function eraseRemovedTerms(connection: Connection): void {
  connection.run("INSERT INTO summaries_fts (summaries_fts) VALUES ('optimize')");
}

/**
 * Empties the file that commits go through first: it still holds what a page said before. Answers whether that was
 * possible; a reader elsewhere, or a writer, can be in the way for longer than `busyTimeoutMs`.
 */
export function emptyWal(connection: Connection): boolean {
  return connection.get('PRAGMA wal_checkpoint(TRUNCATE)')?.busy === 0;
}
