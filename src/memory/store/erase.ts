import { earlierCallsMax } from '../../core/limits.ts';
import type { Connection } from './connection.ts';
import { number, text, textOrNull } from './row.ts';

/** What a memory can be known by wherever it may lie. */
export interface Trace {
  readonly summaryId: number;
  readonly eventId: string;
  readonly toolUseId: string | null;
  readonly sessionId: string;
  /** The event's time. */
  readonly ts: string;
  readonly text: string;
  readonly payloadJson: string;
}

/** What is known of a memory that is to be erased, or null when there is none. */
export function traceOf(connection: Connection, summaryId: number): Trace | null {
  const sql = `SELECT e.id, e.tool_use_id, e.session_id, e.ts, e.payload_json, s.id AS summary_id, s.text
    FROM summaries s JOIN events e ON e.id = s.event_id WHERE s.id = ?`;
  const row = connection.get(sql, summaryId);
  if (row === undefined) return null;
  return {
    summaryId: number(row, 'summary_id'),
    eventId: text(row, 'id'),
    toolUseId: textOrNull(row, 'tool_use_id'),
    sessionId: text(row, 'session_id'),
    ts: text(row, 'ts'),
    text: text(row, 'text'),
    payloadJson: text(row, 'payload_json'),
  };
}

/** A summary of the builtin summariser with what it was made of. */
export interface Resummarised {
  readonly summaryId: number;
  readonly seq: number;
  readonly text: string;
  readonly terms: string;
  readonly payloadJson: string;
}

/**
 * The row numbers of the calls whose summary may quote an event: those of its session that both happened and arrived
 * behind it, and have it among the `earlierCallsMax` before them. Ask before it is removed.
 */
export function seqsInReach(connection: Connection, eventId: string): number[] {
  const sql = `
    SELECT e.seq FROM events AS own JOIN events AS e
      ON e.session_id = own.session_id AND e.ts >= own.ts AND (e.ts, e.seq) > (own.ts, own.seq)
    WHERE own.id = ? AND own.session_id <> '' ORDER BY e.ts, e.seq`;
  const later = connection.all(sql, eventId).map((row) => number(row, 'seq'));
  const own = number(connection.get('SELECT seq FROM events WHERE id = ?', eventId) ?? {}, 'seq');
  return later.filter((seq, at) => seq > own && isWithin(later, at));
}

/** Whether fewer than `earlierCallsMax` of those before it had arrived before it: nearly always told by its place alone. */
function isWithin(later: readonly number[], at: number): boolean {
  const seq = later[at] ?? 0;
  let between = 0;
  for (let before = at - 1; before >= 0 && between < earlierCallsMax; before -= 1) {
    if ((later[before] ?? 0) < seq) between += 1;
  }
  return between < earlierCallsMax;
}

/** The summaries that the builtin summariser wrote of some rows. A model sees nothing but the call itself. */
export function builtinOf(connection: Connection, seqs: readonly number[]): Resummarised[] {
  const sql = `SELECT s.id, e.seq, s.text, s.terms, e.payload_json FROM json_each(?) j CROSS JOIN events e ON e.seq = j.value
    JOIN summaries s ON s.event_id = e.id WHERE s.model = 'builtin'`;
  return connection.all(sql, JSON.stringify(seqs)).map((row) => ({
    summaryId: number(row, 'id'),
    seq: number(row, 'seq'),
    text: text(row, 'text'),
    terms: text(row, 'terms'),
    payloadJson: text(row, 'payload_json'),
  }));
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

/**
 * What a model was asked about a summary, and said: it saw the summary's words, and may have repeated them. An answer that
 * is still awaited finds no question any more. To be forgotten with the words; the curator will ask again.
 */
export function eraseAsked(connection: Connection, summaryId: number): void {
  connection.run(
    `DELETE FROM edges WHERE (from_id = ?1 OR to_id = ?1) AND evidence LIKE '${askedEvidence}%'`,
    summaryId,
  );
  // A copy of an older schema has no such table.
  if (!connection.hasTable('doubts')) return;
  connection.run('DELETE FROM doubts WHERE from_id = ?1 OR to_id = ?1', summaryId);
}

/** How the evidence of an edge begins that a model gave (`curate/asking.ts`). */
export const askedEvidence = 'asked ';
