import type { Connection } from './connection.ts';
import { number } from './row.ts';

/** Spec 2.3. */
export interface Counts {
  readonly events: number;
  readonly raw: number;
  readonly summarized: number;
  readonly skipped: number;
  readonly summaries: number;
  readonly embeddings: number;
}

/** Figures over the whole store. */
export class Stats {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  counts(): Counts {
    const sql = `SELECT
      (SELECT count(*) FROM events) AS events,
      (SELECT count(*) FROM events WHERE status = 'raw') AS raw,
      (SELECT count(*) FROM events WHERE status = 'summarized') AS summarized,
      (SELECT count(*) FROM events WHERE status = 'skipped') AS skipped,
      (SELECT count(*) FROM summaries) AS summaries,
      (SELECT count(*) FROM summary_embeddings) AS embeddings`;
    const row = this.#connection.get(sql) ?? {};
    return {
      events: number(row, 'events'),
      raw: number(row, 'raw'),
      summarized: number(row, 'summarized'),
      skipped: number(row, 'skipped'),
      summaries: number(row, 'summaries'),
      embeddings: number(row, 'embeddings'),
    };
  }
}
