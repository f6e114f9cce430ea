import { archivePageRows } from '../../core/limits.ts';
import type { Connection } from './connection.ts';
import { number, text } from './row.ts';
import { type Summary, SummaryTable } from './summaries.ts';

/** A session that has memories. */
export interface SessionAccount {
  readonly sessionId: string;
  readonly client: string;
  readonly firstTs: string;
  readonly lastTs: string;
  readonly memories: number;
  /** Its digest, or null. */
  readonly account: string | null;
}

/** The sessions that have memories, in the order of their first one. */
export function sessionAccounts(connection: Connection): SessionAccount[] {
  const sql = `SELECT e.session_id, min(e.client) AS client, min(s.ts) AS first_ts, max(s.ts) AS last_ts, count(*) AS n
    FROM summaries s JOIN events e ON e.id = s.event_id GROUP BY e.session_id ORDER BY first_ts, e.session_id`;
  const hasDigests = connection.hasTable('digests');
  return connection.all(sql).map((row) => {
    const sessionId = text(row, 'session_id');
    const digest = hasDigests
      ? connection.get('SELECT text FROM digests WHERE session_id = ?', sessionId)
      : undefined;
    return {
      sessionId,
      client: text(row, 'client'),
      firstTs: text(row, 'first_ts'),
      lastTs: text(row, 'last_ts'),
      memories: number(row, 'n'),
      account: digest === undefined ? null : text(digest, 'text'),
    };
  });
}

/** The memories of a session, oldest first. */
export function* memoriesOf(connection: Connection, sessionId: string): Generator<Summary> {
  const summaries = new SummaryTable(connection);
  const sql = `SELECT s.id, s.ts FROM summaries s JOIN events e ON e.id = s.event_id
    WHERE e.session_id = ? AND (s.ts, s.id) > (?, ?) ORDER BY s.ts, s.id LIMIT ?`;
  for (let after: readonly [string, number] = ['', 0]; ; ) {
    const rows = connection.all(sql, sessionId, ...after, archivePageRows);
    yield* summaries.get(rows.map((row) => number(row, 'id')));
    const last = rows.at(-1);
    if (last === undefined || rows.length < archivePageRows) return;
    after = [text(last, 'ts'), number(last, 'id')];
  }
}
