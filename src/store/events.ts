import type { Payload, ToolEvent } from '../event/index.ts';
import { leaseMs } from '../limits.ts';
import type { Connection } from './connection.ts';
import { number, text } from './row.ts';

export interface Inserted {
  readonly inserted: number;
  readonly duplicates: number;
}

/** A raw row that this drainer holds until its lease ends. */
export interface Claimed {
  readonly seq: number;
  readonly id: string;
  readonly payloadJson: string;
  readonly attempts: number;
}

/** The captured calls: arrival, the leases of drainers, and how each ended. */
export class EventTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Stores what is not there yet, in one transaction; an event is known by its id. */
  insert(events: readonly ToolEvent[]): Inserted {
    const inserted = this.#connection.transaction(() =>
      events.reduce((count, event) => count + this.#insertOne(event), 0),
    );
    return { inserted, duplicates: events.length - inserted };
  }

  /** The ids among `ids` that are stored. */
  known(ids: readonly string[]): Set<string> {
    const sql = 'SELECT id FROM events WHERE id IN (SELECT value FROM json_each(?))';
    return new Set(this.#connection.all(sql, JSON.stringify(ids)).map((row) => text(row, 'id')));
  }

  /**
   * Takes up to `limit` raw rows behind `afterSeq`, oldest first, that no living lease holds. Two drainers never
   * get the same row: the claim is one write transaction. A lease that ends later than any taken now would was taken
   * by a clock that has been set back since, and holds nothing: its owner, should it live, finds its row gone.
   */
  claim(owner: string, afterSeq: number, limit: number, nowMs: number): Claimed[] {
    const sql = `
      UPDATE events SET lease_owner = ?, lease_until = ?
      WHERE seq IN (SELECT seq FROM events WHERE status = 'raw' AND seq > ?
        AND NOT (lease_until > ? AND lease_until <= ?) ORDER BY seq LIMIT ?)
      RETURNING seq, id, payload_json, attempts`;
    return this.#connection
      .transaction(() =>
        this.#connection.all(sql, owner, nowMs + leaseMs, afterSeq, nowMs, nowMs + leaseMs, limit),
      )
      .map((row) => ({
        seq: number(row, 'seq'),
        id: text(row, 'id'),
        payloadJson: text(row, 'payload_json'),
        attempts: number(row, 'attempts'),
      }))
      .sort((a, b) => a.seq - b.seq);
  }

  /** Keeps the leases of rows whose answer takes long. */
  renew(owner: string, seqs: readonly number[], nowMs: number): void {
    const sql =
      'UPDATE events SET lease_until = ? WHERE lease_owner = ? AND seq IN (SELECT value FROM json_each(?))';
    this.#connection.run(sql, nowMs + leaseMs, owner, JSON.stringify(seqs));
  }

  /** Gives rows back untouched: an outage counts against nobody. */
  release(owner: string, seqs: readonly number[]): void {
    const sql = `UPDATE events SET lease_owner = NULL, lease_until = 0
      WHERE lease_owner = ? AND seq IN (SELECT value FROM json_each(?))`;
    this.#connection.run(sql, owner, JSON.stringify(seqs));
  }

  /** Who holds rows at this moment. */
  leaseOwners(nowMs: number): string[] {
    const sql = `SELECT DISTINCT lease_owner FROM events
      WHERE status = 'raw' AND lease_until > ? AND lease_owner IS NOT NULL`;
    return this.#connection.all(sql, nowMs).map((row) => text(row, 'lease_owner'));
  }

  /** Gives back what a drainer that is gone held. */
  releaseAll(owner: string): void {
    const sql =
      "UPDATE events SET lease_owner = NULL, lease_until = 0 WHERE status = 'raw' AND lease_owner = ?";
    this.#connection.run(sql, owner);
  }

  /** Counts a failed attempt of one row; with the last one it becomes `skipped`. Answers the new status. */
  fail(owner: string, seq: number, error: string, attemptsMax: number): 'raw' | 'skipped' | 'lost' {
    const sql = `
      UPDATE events SET attempts = attempts + 1, last_error = ?, lease_owner = NULL, lease_until = 0,
        status = CASE WHEN attempts + 1 >= ? THEN 'skipped' ELSE 'raw' END
      WHERE seq = ? AND lease_owner = ? AND status = 'raw' RETURNING status`;
    const row = this.#connection.get(sql, error, attemptsMax, seq, owner);
    if (row === undefined) return 'lost';
    return text(row, 'status') === 'skipped' ? 'skipped' : 'raw';
  }

  #insertOne(event: ToolEvent): number {
    const sql = `
      INSERT INTO events (id, ts, session_id, tool, tool_use_id, client, payload_json, is_error)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`;
    const { id, ts, sessionId, tool, toolUseId, client, isError } = event;
    const payload = JSON.stringify(payloadOf(event));
    return this.#connection.run(sql, id, ts, sessionId, tool, toolUseId, client, payload, isError ? 1 : 0);
  }
}

/** What `payload_json` holds of an event. */
export function payloadOf(event: ToolEvent): Payload {
  const { tool, input, output, sessionId, toolUseId, ts, client, isError, cwd } = event;
  return { tool, input, output, sessionId, toolUseId, ts, client, isError, cwd };
}
