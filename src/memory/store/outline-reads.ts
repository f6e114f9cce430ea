import type { Connection } from './connection.ts';
import { flag, number, numberOrNull, rowReader, text } from './row.ts';
import type { Store } from './store.ts';
import { type Summary, SummaryTable } from './summaries.ts';

/** The outcome of one subject of a memory. */
export type Verdict = ReturnType<typeof readVerdict>;
const readVerdict = rowReader({
  summaryId: number,
  /** A hash of kind and name (`subjectKey` in `calls`). */
  key: number,
  failed: flag,
  /** Whether another memory supersedes this one. */
  replaced: flag,
});

/** A session with its digest. */
export type SessionEnd = ReturnType<typeof readSessionEnd>;
const readSessionEnd = rowReader({
  sessionId: text,
  digest: text,
  /** The time of the last event in the digest. */
  ts: text,
  /** Its last memory; null if it has none. */
  lastId: numberOrNull,
});

/** The reads for the outline at the start of a session. */
export class OutlineReads {
  readonly #connection: Connection;
  readonly #summaries: SummaryTable;

  constructor(store: Pick<Store, 'connection'>) {
    this.#connection = store.connection;
    this.#summaries = new SummaryTable(store.connection);
  }

  /** Pinned memories, newest first. */
  pinned(limit: number): Summary[] {
    const sql = 'SELECT id FROM summaries WHERE pinned <> 0 ORDER BY ts DESC, id DESC LIMIT ?';
    return this.get(this.#connection.all(sql, limit).map((row) => number(row, 'id')));
  }

  /** The existing summaries of `ids`, in that order. */
  get(ids: readonly number[]): Summary[] {
    return this.#summaries.get(ids);
  }

  payloadJson(id: number): string | null {
    return this.#summaries.payloadJson(id);
  }

  /** The session with the latest digest, except `except`. */
  lastSession(except: string): SessionEnd | null {
    return this.#session('session_id <> ?', except);
  }

  /** Null if the session has no digest. */
  session(id: string): SessionEnd | null {
    return this.#session('session_id = ?', id);
  }

  #session(which: 'session_id = ?' | 'session_id <> ?', id: string): SessionEnd | null {
    const sql = `SELECT session_id, text AS digest, ts,
        (SELECT s.id FROM events e JOIN summaries s ON s.event_id = e.id
         WHERE e.session_id = digests.session_id ORDER BY e.ts DESC, s.id DESC LIMIT 1) AS last_id
      FROM digests WHERE text <> '' AND ${which} ORDER BY ts DESC, session_id LIMIT 1`;
    const row = this.#connection.get(sql, id);
    return row === undefined ? null : readSessionEnd(row);
  }

  /** The passed and failed subjects of the `limit` newest memories, newest first. */
  verdicts(limit: number): Verdict[] {
    const sql = `
      SELECT r.id AS summary_id, j.key, j.outcome = 'failed' AS failed,
        EXISTS (SELECT 1 FROM edges WHERE to_id = r.id AND kind = 'supersedes') AS replaced
      FROM (SELECT id, ts FROM summaries ORDER BY ts DESC, id DESC LIMIT ?) r
        JOIN subjects j ON j.summary_id = r.id
      WHERE j.outcome IN ('passed', 'failed') ORDER BY r.ts DESC, r.id DESC`;
    return this.#connection.all(sql, limit).map(readVerdict);
  }
}
