import { archivePageRows } from '#core/limits';
import type { Connection } from '../connection.ts';
import { number, rowReader, text, textOrNull } from '../row.ts';
import { sessionOriginColumns } from '../tables/origin.ts';
import { readSummary, type Summary, summaryColumns } from '../tables/summaries.ts';

/** A session that has memories. */
export type RecordedSession = ReturnType<typeof readSession>;
const readSession = rowReader({ sessionId: text, client: text, memories: number, digest: textOrNull });

/** The sessions that have memories, in the order of their first one. */
export function recordedSessions(connection: Connection): RecordedSession[] {
  const sql = `SELECT e.session_id, min(e.client) AS client, count(*) AS memories, (SELECT d.text FROM digests d WHERE d.session_id = e.session_id) AS digest${sessionOriginColumns('e.session_id')}
    FROM summaries s JOIN events e ON e.id = s.event_id GROUP BY e.session_id ORDER BY min(s.ts), e.session_id`;
  return connection.all(sql).map(readSession);
}

/** The memories of a session, oldest first. */
export function* memoriesOf(connection: Connection, sessionId: string): Generator<Summary> {
  const sql = `SELECT ${summaryColumns} FROM summaries s JOIN events e ON e.id = s.event_id
    WHERE e.session_id = ? AND (s.ts, s.id) > (?, ?) ORDER BY s.ts, s.id LIMIT ?`;
  for (const row of connection.paged(sql, archivePageRows, { ts: '', id: 0 }, sessionId))
    yield readSummary(row);
}
