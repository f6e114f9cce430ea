import { parseObject, stringAt } from '#core/event';
import type { Connection } from '../connection.ts';
import { number, rowReader, text, textOrNull } from '../row.ts';
import { messageIn, messageToolNames } from '../tables/message-columns.ts';

/** What identifies a memory in any file. */
export type Trace = ReturnType<typeof readTrace>;
const readTrace = rowReader({
  eventId: text,
  toolUseId: textOrNull,
  sessionId: text,
  /** The event's time. */
  ts: text,
  text,
  payloadJson: text,
});

/** Null if the memory does not exist. */
export function traceOf(connection: Connection, summaryId: number): Trace | null {
  return connection.one(`${traced} WHERE s.id = ?`, readTrace, summaryId);
}

/** The same for an event, which may have no summary. */
export function traceOfEvent(connection: Connection, eventId: string): Trace | null {
  return connection.one(`${traced} WHERE e.id = ?`, readTrace, eventId);
}

const traced = `SELECT e.id AS event_id, e.tool_use_id, e.session_id, e.ts, e.payload_json, coalesce(s.text, '') AS text
  FROM events e LEFT JOIN summaries s ON s.event_id = e.id`;

/** The summaries of an event's session that end with a clause of an earlier version, which may quote it, without this clause. */
export function clausesOf(
  connection: Connection,
  eventId: string,
): { id: number; text: string; terms: string }[] {
  const sql = `SELECT s.id, s.text, s.terms FROM events own JOIN events e ON e.session_id = own.session_id
    JOIN summaries s ON s.event_id = e.id WHERE own.id = ? AND own.session_id <> '' AND e.id <> own.id AND s.model = 'builtin' AND e.tool NOT IN (${messageToolNames})`;
  return connection.all(sql, eventId).flatMap((row) => {
    const plain = withoutClause(text(row, 'text'));
    return plain === row.text ? [] : [{ id: number(row, 'id'), text: plain, terms: text(row, 'terms') }];
  });
}

/** The builtin summary of a call without the sentence about earlier calls of its session with which earlier versions ended some. */
export function withoutClause(summary: string): string {
  const from = Math.max(0, summary.length - clauseCharsMax);
  const at = summary.slice(from).search(clause);
  return at === -1 ? summary : summary.slice(0, from + at);
}

/** With the space before it. */
const clauseCharsMax = 262;
/** A plan's clause is always the last sentence. */
const clause =
  /(?<=[.!?…]”?) (?:Passed after failing |Had passed |Still fails as |Fails otherwise than |Undoes the edit |`.{1,80} had failed |“.*(?:”(?:; .*)?|…)\.$|\d+ of \d+ done\.$)/s;

/**
 * Rewrites the lexical index without the terms of removed rows, which its segments otherwise keep. Takes time in proportion to
 * the index, so only for a removal that a user asked for. FTS5's `secure-delete` would do it step by step, but then an SQLite
 * before 3.42, as in operators' shells, cannot read the index.
 */
export function eraseRemovedTerms(connection: Connection): void {
  connection.run("INSERT INTO summaries_fts (summaries_fts) VALUES ('optimize')");
}

/**
 * Empties SQLite's write-ahead log, which still holds former pages. Returns whether that was possible: another reader or
 * writer can block it for longer than `busyTimeoutMs`.
 */
export function emptyWal(connection: Connection): boolean {
  return connection.get('PRAGMA wal_checkpoint(TRUNCATE)')?.busy === 0;
}

/**
 * Removes what a model was asked and answered about a summary: the answer may repeat the summary's words. An answer that
 * arrives later finds no question. The curator will ask again.
 */
export function eraseAsked(connection: Connection, summaryId: number): void {
  connection.run(
    `DELETE FROM edges WHERE (from_id = ?1 OR to_id = ?1) AND evidence LIKE '${askedEvidence}%'`,
    summaryId,
  );
  connection.run('DELETE FROM doubts WHERE from_id = ?1 OR to_id = ?1', summaryId);
}

/**
 * Removes what versions before schema 5 kept of a user's message in `prompts`, with the digest that may quote it, and all prompts of a
 * session of which this was the last event. Returns their ids.
 */
export function erasePrompts(connection: Connection, trace: MessageTrace): string[] {
  const ids = promptsLike(connection, trace);
  const { sessionId } = trace;
  if (ids.length === 0) return [];
  connection.run('DELETE FROM prompts WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
  connection.run('DELETE FROM digests WHERE session_id = ?', sessionId);
  return ids;
}

/** Long prompts were cut, so beginnings are compared. */
export function promptsLike(
  connection: Connection,
  { eventId, sessionId, payloadJson }: MessageTrace,
): string[] {
  if (sessionId === '') return [];
  const payload = parseObject(payloadJson) ?? {};
  const said = messageIn(payload)?.role === 'user' ? stringAt(payload, 'output') : undefined;
  const sql = `SELECT id FROM prompts WHERE session_id = ?1 AND (substr(text, 1, ${promptStartChars}) = ?2
    OR NOT EXISTS (SELECT 1 FROM events WHERE session_id = ?1 AND id <> ?3))`;
  // A prompt is never empty.
  const start = said?.slice(0, promptStartChars) ?? '';
  return connection.texts(sql, sessionId, start, eventId);
}

/** What identifies a message in `prompts`. */
type MessageTrace = Pick<Trace, 'eventId' | 'sessionId' | 'payloadJson'>;

/** Characters of a prompt that identify it in its session. */
const promptStartChars = 200;

/** The start of the evidence of an edge that a model found (`curate/asking.ts`). */
export const askedEvidence = 'asked ';
