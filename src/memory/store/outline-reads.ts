import type { Connection } from './connection.ts';
import { flag, number, text } from './row.ts';
import type { Store } from './store.ts';
import { type Summary, SummaryTable } from './summaries.ts';

/** How one thing that a memory is about ended. */
export interface Verdict {
  readonly summaryId: number;
  /** A hash of kind and name (`subjectKey` in `summarise`). */
  readonly key: number;
  readonly failed: boolean;
  /** Another memory supersedes the one that tells of it. */
  readonly replaced: boolean;
}

/** A session as its digest tells of it. */
export interface SessionEnd {
  readonly sessionId: string;
  readonly digest: string;
  /** The time of the last event in it. */
  readonly ts: string;
  /** Its last memory; null when it has none. */
  readonly lastId: number | null;
}

/** What a new session is told of the former ones, as it is stored. */
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

  /** Those of `ids` that are there, in that order. */
  get(ids: readonly number[]): Summary[] {
    return this.#summaries.get(ids);
  }

  payloadJson(id: number): string | null {
    return this.#summaries.payloadJson(id);
  }

  /** The session whose digest tells of the latest event, but for `except`. */
  lastSession(except: string): SessionEnd | null {
    return this.#session('session_id <> ?', except);
  }

  /** This very session, as far as its digest tells. */
  session(id: string): SessionEnd | null {
    return this.#session('session_id = ?', id);
  }

  #session(which: 'session_id = ?' | 'session_id <> ?', id: string): SessionEnd | null {
    const sql = `SELECT session_id, text, ts,
        (SELECT s.id FROM events e JOIN summaries s ON s.event_id = e.id
         WHERE e.session_id = digests.session_id ORDER BY e.ts DESC, s.id DESC LIMIT 1) AS last_id
      FROM digests WHERE text <> '' AND ${which} ORDER BY ts DESC, session_id LIMIT 1`;
    const row = this.#connection.get(sql, id);
    if (row === undefined) return null;
    return {
      sessionId: text(row, 'session_id'),
      digest: text(row, 'text'),
      ts: text(row, 'ts'),
      lastId: row.last_id === null ? null : number(row, 'last_id'),
    };
  }

  /** What passed or failed in the `limit` newest memories, newest first. */
  verdicts(limit: number): Verdict[] {
    const sql = `
      SELECT r.id, j.key, j.outcome = 'failed' AS failed,
        EXISTS (SELECT 1 FROM edges WHERE to_id = r.id AND kind = 'supersedes') AS replaced
      FROM (SELECT id, ts FROM summaries ORDER BY ts DESC, id DESC LIMIT ?) r
        JOIN subjects j ON j.summary_id = r.id
      WHERE j.outcome IN ('passed', 'failed') ORDER BY r.ts DESC, r.id DESC`;
    return this.#connection.all(sql, limit).map((row) => ({
      summaryId: number(row, 'id'),
      key: number(row, 'key'),
      failed: flag(row, 'failed'),
      replaced: flag(row, 'replaced'),
    }));
  }
}
