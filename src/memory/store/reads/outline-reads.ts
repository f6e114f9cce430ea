import { noteTool } from '#core/event';
import { number, numberOrNull, rowReader, text } from '../row.ts';
import { isNoHelper } from '../tables/copies.ts';
import { isPinned, sessionOriginColumns, trusted } from '../tables/origin.ts';
import { SettingTable } from '../tables/settings.ts';
import { type Summary, SummaryTable } from '../tables/summaries.ts';
import { Table } from '../tables/table.ts';

/** A session by its newest event. */
export type SessionRow = ReturnType<typeof readSessionRow>;
const readSessionRow = rowReader({
  sessionId: text,
  ts: text,
  /** That of its digest, else of its last memory; null if it has neither. */
  id: numberOrNull,
});

/** The reads for the outline at the start of a session. */
export class OutlineReads extends Table {
  readonly #summaries = new SummaryTable(this);

  /** Pinned memories but rules, which are said at their action; newest first: recorded and pinned by the user, or by an author whom `sync.trust` names. */
  pinned(limit: number): Summary[] {
    const sql = `SELECT s.id FROM summaries s JOIN events e ON e.id = s.event_id
      WHERE ${isPinned('s')} AND ${isOwn} AND NOT ${isRule} ORDER BY s.ts DESC, s.id DESC LIMIT ?`;
    return this.get(this.connection.numbers(sql, limit));
  }

  /** The existing summaries of `ids`, in that order. */
  get(ids: readonly number[]): Summary[] {
    return this.#summaries.get(ids);
  }

  /** What was noted in a session, newest first. */
  notes(sessionId: string, limit: number): Summary[] {
    const sql = `SELECT s.id FROM events e JOIN summaries s ON s.event_id = e.id
      WHERE e.session_id = ? AND e.tool = '${noteTool}' ORDER BY e.ts DESC, s.id DESC LIMIT ?`;
    return this.get(this.connection.numbers(sql, sessionId, limit));
  }

  /** The text of a setting that the database keeps, such as the focus. */
  setting(name: string): string | null {
    return new SettingTable(this).get(name);
  }

  /** Where the database is: `changes` differs after any write, `others` after one of another connection, `memory` is the newest id. */
  mark() {
    const sql =
      'SELECT (SELECT coalesce(max(seq), 0) FROM events) AS seq, (SELECT coalesce(max(id), 0) FROM summaries) AS memory';
    const row = this.connection.get(sql) ?? {};
    const others = this.connection.dataVersion();
    const changes = this.connection.changes();
    return { seq: number(row, 'seq'), memory: number(row, 'memory'), others, changes };
  }

  hasEvents(sessionId: string): boolean {
    return this.connection.has('SELECT 1 FROM events WHERE session_id = ? LIMIT 1', sessionId);
  }

  /** The sessions with events later than `seq`. */
  sessionsSince(seq: number): string[] {
    const sql = "SELECT DISTINCT session_id FROM events WHERE seq > ? AND session_id <> ''";
    return this.connection.texts(sql, seq);
  }

  /**
   * The sessions with the newest events, the newest first, without those of helpers and of authors who are not trusted; `only` names
   * one, of any author.
   */
  sessions(limit: number, only: string | null = null): SessionRow[] {
    const sql = `SELECT l.session_id, l.ts,
        coalesce((SELECT id FROM digests WHERE text <> '' AND session_id = l.session_id),
          (SELECT s.id FROM events e JOIN summaries s ON s.event_id = e.id WHERE e.session_id = l.session_id
           ORDER BY e.ts DESC, s.id DESC LIMIT 1)) AS id${sessionOriginColumns('l.session_id')}
      FROM (SELECT session_id, max(ts) AS ts FROM events e WHERE session_id <> '' AND ((?1 IS NULL AND (${isOnlyOwn} OR ${isOwn}) AND ${isNoHelper}) OR session_id = ?1)
            GROUP BY session_id ORDER BY 2 DESC, 1 LIMIT ?2) l ORDER BY l.ts DESC, l.session_id`;
    return this.connection.all(sql, only, limit).map(readSessionRow);
  }

  /** Events by their `seq`: their time, and the memory made of each, if any. */
  eventsOf(
    seqs: readonly number[],
  ): ReadonlyMap<number, { readonly ts: string; readonly id: number | null }> {
    const sql = `SELECT e.seq, e.ts, s.id FROM events e LEFT JOIN summaries s ON s.event_id = e.id
      WHERE e.seq IN (SELECT value FROM json_each(?))`;
    const rows = this.connection.all(sql, JSON.stringify(seqs));
    return new Map(
      rows.map((row) => [number(row, 'seq'), { ts: text(row, 'ts'), id: numberOrNull(row, 'id') }]),
    );
  }

  /** The digests that the user pinned, or an author whom `sync.trust` names, newest first. */
  pinnedSessions(limit: number): number[] {
    const sql = `SELECT id FROM digests WHERE ${isPinned('digests')} AND text <> ''
      AND (is_foreign = 0 OR author IN (${trusted})) ORDER BY ts DESC, id DESC LIMIT ?`;
    return this.connection.numbers(sql, limit);
  }
}

/** A condition on `session_id`, asked first: it is answered from an index, and whose an event is only behind its payload. */
const isOnlyOwn = 'session_id NOT IN (SELECT session_id FROM events WHERE is_foreign <> 0)';
/** Conditions on `events e`. */
const isRule = `(e.tool = '${noteTool}' AND json_valid(e.payload_json) AND e.payload_json ->> '$.input.rule' IS NOT NULL)`;
const isOwn = `(e.is_foreign = 0 OR e.author IN (${trusted}))`;
