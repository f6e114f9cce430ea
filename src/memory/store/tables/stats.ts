import { number, type Origin, type Row, rowReader, text } from '../row.ts';
import { isNoHelper } from './copies.ts';
import { Table } from './table.ts';

/** How many there are of each. */
export type Counts = Omit<ReturnType<typeof readCounts>, keyof Origin>;
const readCounts = rowReader({
  events: number,
  raw: number,
  summarized: number,
  skipped: number,
  summaries: number,
  embeddings: number,
  /** Of the events, those that are messages. */
  messages: number,
});

/** An assistant that recorded, with its sessions, without those of helpers, and its last event. */
export type Recorder = Omit<ReturnType<typeof readRecorder>, keyof Origin>;
const readRecorder = rowReader({ client: text, sessions: number, lastTs: text });

/** Figures over the whole store, counted once after each change: counting reads every row of an index. */
export class Stats extends Table {
  readonly #known = new Map<string, { readonly at: string; readonly rows: readonly Row[] }>();

  counts(): Counts {
    const sql = `WITH counted AS MATERIALIZED (SELECT
      (SELECT count(*) FROM events) AS events,
      (SELECT count(*) FROM events WHERE status = 'raw') AS raw,
      (SELECT count(*) FROM events WHERE status = 'skipped') AS skipped,
      (SELECT count(*) FROM summaries) AS summaries,
      (SELECT count(*) FROM summary_embeddings) AS embeddings,
      (SELECT count(*) FROM events WHERE kind = 'message') AS messages)
      SELECT *, events - raw - skipped AS summarized FROM counted`;
    return readCounts(this.#rows(sql)[0] ?? {});
  }

  /** Without what others recorded; the latest first. Reads one event of each session. */
  recorders(): Recorder[] {
    // From session to session: grouping would read the index of all events.
    const sql = `WITH RECURSIVE session(own) AS (SELECT min(session_id) FROM events
        UNION ALL SELECT (SELECT min(session_id) FROM events WHERE session_id > own) FROM session WHERE own IS NOT NULL),
      last(session_id, ts) AS (SELECT own, (SELECT max(ts) FROM events WHERE session_id = own) FROM session)
      SELECT e.client AS client, count(DISTINCT nullif(e.session_id, '')) AS sessions, max(e.ts) AS last_ts
      FROM last CROSS JOIN events e ON e.session_id = last.session_id AND e.ts = last.ts
      WHERE last.${isNoHelper} AND last.session_id NOT IN (SELECT session_id FROM events WHERE is_foreign <> 0)
      GROUP BY e.client ORDER BY last_ts DESC`;
    return this.#rows(sql).map(readRecorder);
  }

  #rows(sql: string): readonly Row[] {
    const at = this.connection.changes();
    const known = this.#known.get(sql);
    if (known?.at === at) return known.rows;
    const rows = this.connection.all(sql);
    this.#known.set(sql, { at, rows });
    return rows;
  }
}
