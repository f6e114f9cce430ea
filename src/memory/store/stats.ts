import { number, type Origin, rowReader } from './row.ts';
import { Table } from './table.ts';

/** Spec 2.3. */
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

/** Figures over the whole store. */
export class Stats extends Table {
  counts(): Counts {
    const sql = `SELECT
      (SELECT count(*) FROM events) AS events,
      (SELECT count(*) FROM events WHERE status = 'raw') AS raw,
      (SELECT count(*) FROM events WHERE status = 'summarized') AS summarized,
      (SELECT count(*) FROM events WHERE status = 'skipped') AS skipped,
      (SELECT count(*) FROM summaries) AS summaries,
      (SELECT count(*) FROM summary_embeddings) AS embeddings,
      (SELECT count(*) FROM events WHERE kind = 'message') AS messages`;
    return readCounts(this.connection.get(sql) ?? {});
  }
}
