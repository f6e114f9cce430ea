import type { Connection } from './connection.ts';
import { blob, number, text } from './row.ts';

/** A summary whose vector is missing or was made by another embedder. */
export interface Unembedded {
  readonly summaryId: number;
  readonly text: string;
  readonly terms: string;
}

export interface NewEmbedding {
  readonly summaryId: number;
  /** The text the vector was made of; a summary that has changed since keeps its place in the queue. */
  readonly text: string;
  readonly vector: Uint8Array;
  readonly dim: number;
}

export interface StoredVector {
  readonly seq: number;
  readonly summaryId: number;
  readonly vector: Uint8Array;
}

/** One vector a summary, each with the name, version and dimension of what made it. */
export class EmbeddingTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Summaries without a vector of this embedder, oldest first, behind `afterId`. Those with one of an embedder named in
   * `kept` are not missing any.
   */
  missing(
    embedder: string,
    version: number,
    afterId: number,
    limit: number,
    kept: readonly string[] = [],
  ): Unembedded[] {
    const sql = `
      SELECT s.id, s.text, s.terms FROM summaries s LEFT JOIN summary_embeddings v ON v.summary_id = s.id
      WHERE s.id > ? AND (v.seq IS NULL OR (v.embedder <> ? OR v.version <> ?)
        AND v.embedder NOT IN (SELECT value FROM json_each(?))) ORDER BY s.id LIMIT ?`;
    const rows = this.#connection.all(sql, afterId, embedder, version, JSON.stringify(kept), limit);
    return rows.map((row) => ({
      summaryId: number(row, 'id'),
      text: text(row, 'text'),
      terms: text(row, 'terms'),
    }));
  }

  /** Stores vectors; each takes the place of what its summary had. Answers how many. */
  save(embedder: string, version: number, embeddings: readonly NewEmbedding[]): number {
    const sql = `
      INSERT OR REPLACE INTO summary_embeddings (summary_id, embedder, version, dim, vector)
      SELECT id, ?, ?, ?, ? FROM summaries WHERE id = ? AND text = ?`;
    return this.#connection.transaction(() =>
      embeddings.reduce(
        (count, one) =>
          count + this.#connection.run(sql, embedder, version, one.dim, one.vector, one.summaryId, one.text),
        0,
      ),
    );
  }

  /** Vectors of one embedder stored behind `seq`, in the order they came. */
  after(seq: number, embedder: string, version: number, limit: number): StoredVector[] {
    const sql = `SELECT seq, summary_id, vector FROM summary_embeddings
      WHERE seq > ? AND embedder = ? AND version = ? ORDER BY seq LIMIT ?`;
    return this.#connection.all(sql, seq, embedder, version, limit).map((row) => ({
      seq: number(row, 'seq'),
      summaryId: number(row, 'summary_id'),
      vector: blob(row, 'vector'),
    }));
  }

  count(embedder: string, version: number): number {
    const sql = 'SELECT count(*) AS n FROM summary_embeddings WHERE embedder = ? AND version = ?';
    return number(this.#connection.get(sql, embedder, version) ?? {}, 'n');
  }

  /** Who made the vector of a summary, and how long it is. */
  describe(summaryId: number): { embedder: string; dim: number } | null {
    const sql = 'SELECT embedder, dim FROM summary_embeddings WHERE summary_id = ?';
    const row = this.#connection.get(sql, summaryId);
    return row === undefined ? null : { embedder: text(row, 'embedder'), dim: number(row, 'dim') };
  }
}
