import type { Connection } from './connection.ts';
import { text } from './row.ts';

/**
 * The ids of events that were removed for good: whatever tells of one again (a transcript, the log, the spool) is not
 * listened to. An id is a hash, or a client's name for a call; nothing of what the event held is kept.
 */
export class ForgottenTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  add(eventIds: readonly string[], ts: string): void {
    const sql = 'INSERT OR IGNORE INTO forgotten (event_id, ts) SELECT value, ? FROM json_each(?)';
    this.#connection.run(sql, ts, JSON.stringify(eventIds));
  }

  /** The ids among `eventIds` that are to stay away. */
  among(eventIds: readonly string[]): Set<string> {
    const sql = 'SELECT event_id FROM forgotten WHERE event_id IN (SELECT value FROM json_each(?))';
    return new Set(this.#connection.all(sql, JSON.stringify(eventIds)).map((row) => text(row, 'event_id')));
  }

  /** Notes one that was forgotten elsewhere. Whether it was not known yet. */
  note(eventId: string, ts: string): boolean {
    const sql = 'INSERT OR IGNORE INTO forgotten (event_id, ts) VALUES (?, ?)';
    return this.#connection.run(sql, eventId, ts) > 0;
  }

  /** Lets those come back that were removed no later than `upTo`, an ISO time; null: at any time. */
  lift(eventIds: readonly string[], upTo: string | null = null): void {
    const sql = `DELETE FROM forgotten WHERE event_id IN (SELECT value FROM json_each(?1))
      AND (?2 IS NULL OR ts <= ?2)`;
    this.#connection.run(sql, JSON.stringify(eventIds), upTo);
  }
}
