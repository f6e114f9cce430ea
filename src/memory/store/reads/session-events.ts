import type { Connection } from '../connection.ts';
import { flag, number, numberOrNull, rowReader, text } from '../row.ts';
import { originColumns } from '../tables/origin.ts';

/** An event as a session's account reads it. `id`: its memory; null until it is summarised. */
export type StoredStep = ReturnType<typeof readStep>;
const readStep = rowReader({
  seq: number,
  id: numberOrNull,
  ts: text,
  sessionId: text,
  isError: flag,
  payloadJson: text,
});

const columns = `e.seq, s.id, e.ts, e.session_id, e.is_error, e.payload_json${originColumns}`;
const from = 'FROM events e LEFT JOIN summaries s ON s.event_id = e.id';

/** The position of an event in its session. */
export interface StepCursor {
  readonly ts: string;
  readonly seq: number;
}

/** The events of a session, summarised or not, oldest first. */
export function stepsAfter(
  connection: Connection,
  sessionId: string,
  after: StepCursor | null,
  limit: number,
): StoredStep[] {
  const sql = `SELECT ${columns} ${from} WHERE e.session_id = ? AND (e.ts, e.seq) > (?, ?) ORDER BY e.ts, e.seq LIMIT ?`;
  return connection.all(sql, sessionId, after?.ts ?? '', after?.seq ?? 0, limit).map(readStep);
}

export function stepAt(connection: Connection, seq: number): StoredStep | null {
  return connection.one(`SELECT ${columns} ${from} WHERE e.seq = ?`, readStep, seq);
}

/** The calls that have one of these subjects (`subjectKey`), newest first. */
export function stepsAbout(connection: Connection, keys: readonly number[], limit: number): StoredStep[] {
  const sql = `SELECT ${columns} FROM summaries s JOIN events e ON e.id = s.event_id
    WHERE s.id IN (SELECT summary_id FROM subjects WHERE key IN (SELECT value FROM json_each(?)))
    ORDER BY e.ts DESC, e.seq DESC LIMIT ?`;
  return connection.all(sql, JSON.stringify(keys), limit).map(readStep);
}

/** The calls of a session with a failure between two positions, newest first. */
export function failuresBetween(
  connection: Connection,
  { sessionId, ts, seq }: StoredStep,
  end: StepCursor,
  limit: number,
): StoredStep[] {
  const sql = `SELECT ${columns} ${from} WHERE e.session_id = ? AND (e.ts, e.seq) > (?, ?) AND (e.ts, e.seq) < (?, ?)
    AND EXISTS (SELECT 1 FROM subjects j WHERE j.summary_id = s.id AND j.outcome = 'failed') ORDER BY e.ts DESC, e.seq DESC LIMIT ?`;
  return connection.all(sql, sessionId, ts, seq, end.ts, end.seq, limit).map(readStep);
}

/** The payload of the last message of the user at or before a position of a session; null without one. */
export function promptBefore(
  connection: Connection,
  sessionId: string,
  { ts, seq }: StepCursor,
): string | null {
  const sql = `SELECT payload_json FROM events WHERE session_id = ? AND kind = 'message' AND role = 'user'
    AND (ts, seq) <= (?, ?) ORDER BY ts DESC, seq DESC LIMIT 1`;
  return connection.one(sql, (row) => text(row, 'payload_json'), sessionId, ts, seq);
}
