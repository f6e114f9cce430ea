import type { Connection } from './connection.ts';
import { number, text } from './row.ts';

/** The account of a session. */
export interface Digest {
  readonly sessionId: string;
  readonly text: string;
  /** Further words to find it by. */
  readonly terms: string;
  readonly model: string;
  /** The time of the last event in it. */
  readonly ts: string;
  /** The highest `seq` among the events in it. */
  readonly lastSeq: number;
}

/** A session that has events which its digest has not. */
export interface StaleSession {
  readonly sessionId: string;
  readonly lastSeq: number;
  readonly lastTs: string;
}

/** An event as an account of its session reads it. */
export interface SessionEvent {
  readonly seq: number;
  readonly ts: string;
  readonly payloadJson: string;
}

/** One account a session, and what it takes to write it. */
export class DigestTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * The sessions of at least `eventsMin` events with one behind `afterSeq`, or with a new prompt, that their digest does
   * not tell of; in the order of their last event. Calls without a session belong to nothing.
   */
  stale(afterSeq: number, eventsMin: number): StaleSession[] {
    const sql = `
      SELECT session_id, max(seq) AS last_seq, max(ts) AS last_ts FROM events
      WHERE session_id <> '' AND session_id IN (
        SELECT session_id FROM events WHERE seq > ?1 UNION ALL SELECT session_id FROM digests WHERE last_seq = 0)
      GROUP BY session_id
      HAVING count(*) >= ?2 AND last_seq > coalesce(
        (SELECT last_seq FROM digests WHERE digests.session_id = events.session_id), 0)
      ORDER BY last_seq`;
    return this.#connection.all(sql, afterSeq, eventsMin).map((row) => ({
      sessionId: text(row, 'session_id'),
      lastSeq: number(row, 'last_seq'),
      lastTs: text(row, 'last_ts'),
    }));
  }

  /** A session as `stale` tells of it; null when its digest is up to date, or it has fewer events. */
  staleOne(sessionId: string, eventsMin: number): StaleSession | null {
    const sql = `SELECT max(seq) AS last_seq, max(ts) AS last_ts FROM events WHERE session_id = ?1 AND ?1 <> ''
      HAVING count(*) >= ?2
        AND last_seq > coalesce((SELECT last_seq FROM digests WHERE digests.session_id = ?1), 0)`;
    const row = this.#connection.get(sql, sessionId, eventsMin);
    if (row === undefined) return null;
    return { sessionId, lastSeq: number(row, 'last_seq'), lastTs: text(row, 'last_ts') };
  }

  /** The next events of a session, up to `upToSeq`, behind one of them (null: from the first), in the order of their time. */
  events(sessionId: string, upToSeq: number, after: SessionEvent | null, limit: number): SessionEvent[] {
    const sql = `SELECT seq, ts, payload_json FROM events
      WHERE session_id = ?1 AND seq <= ?2 AND (ts, seq) > (?3, ?4) ORDER BY ts, seq LIMIT ?5`;
    const behind = [after?.ts ?? '', after?.seq ?? 0] as const;
    return this.#connection.all(sql, sessionId, upToSeq, ...behind, limit).map((row) => ({
      seq: number(row, 'seq'),
      ts: text(row, 'ts'),
      payloadJson: text(row, 'payload_json'),
    }));
  }

  /** How many events of a session there are up to `upToSeq`. */
  eventsUpTo(sessionId: string, upToSeq: number): number {
    const sql = 'SELECT count(*) AS n FROM events WHERE session_id = ? AND seq <= ?';
    return number(this.#connection.get(sql, sessionId, upToSeq) ?? {}, 'n');
  }

  /** The newest event of all. */
  newestSeq(): number {
    return number(this.#connection.get('SELECT coalesce(max(seq), 0) AS seq FROM events') ?? {}, 'seq');
  }

  /** Changes whenever something is forgotten, pruned or brought back, and with it, maybe, a digest is gone. */
  removals(): string {
    const sql = "SELECT count(*) || ' ' || coalesce(max(ts), '') AS mark FROM forgotten";
    return text(this.#connection.get(sql) ?? {}, 'mark');
  }

  /** Puts a digest in the place of the session's former one, unless that one tells of later events. */
  save({ sessionId, text: words, terms, model, ts, lastSeq }: Digest): void {
    const sql = `
      INSERT INTO digests (session_id, text, terms, model, ts, last_seq) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (session_id) DO UPDATE SET text = excluded.text, terms = excluded.terms, model = excluded.model,
        ts = excluded.ts, last_seq = excluded.last_seq WHERE excluded.last_seq >= last_seq`;
    this.#connection.run(sql, sessionId, words, terms, model, ts, lastSeq);
  }

  get(sessionId: string): Digest | null {
    const sql = 'SELECT session_id, text, terms, model, ts, last_seq FROM digests WHERE session_id = ?';
    const row = this.#connection.get(sql, sessionId);
    if (row === undefined) return null;
    return {
      sessionId: text(row, 'session_id'),
      text: text(row, 'text'),
      terms: text(row, 'terms'),
      model: text(row, 'model'),
      ts: text(row, 'ts'),
      lastSeq: number(row, 'last_seq'),
    };
  }
}
