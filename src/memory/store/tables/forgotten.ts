import { text } from '../row.ts';
import { Table } from './table.ts';

/**
 * The ids of events that were removed for good: a transcript, the log or the spool cannot store them again. An id is a hash,
 * or a client's name for a call; no content is kept.
 */
export class ForgottenTable extends Table {
  /** `pruned`: a restore file may bring them back, here and on other devices. Returns how many were new. */
  add(eventIds: readonly string[], ts: string, pruned = false): number {
    const sql = 'INSERT OR IGNORE INTO forgotten (event_id, ts, pruned) SELECT value, ?, ? FROM json_each(?)';
    return this.connection.run(sql, ts, pruned ? 1 : 0, JSON.stringify(eventIds));
  }

  /** Those of `eventIds` that are forgotten. */
  among(eventIds: readonly string[]): Set<string> {
    const sql = 'SELECT event_id FROM forgotten WHERE event_id IN (SELECT value FROM json_each(?))';
    return new Set(this.connection.texts(sql, JSON.stringify(eventIds)));
  }

  /** Changes when an event is forgotten, pruned or restored. */
  mark(): string {
    const sql = "SELECT count(*) || ' ' || coalesce(max(ts), '') AS mark FROM forgotten";
    return text(this.connection.get(sql) ?? {}, 'mark');
  }

  /** Allows events again that were removed no later than `upTo`, an ISO time; null: at any time. */
  lift(eventIds: readonly string[], upTo: string | null = null): void {
    const sql = `DELETE FROM forgotten WHERE event_id IN (SELECT value FROM json_each(?1))
      AND (?2 IS NULL OR ts <= ?2)`;
    this.connection.run(sql, JSON.stringify(eventIds), upTo);
  }
}
