import { blob, list, number, rowReader, text, textOrNull } from '../row.ts';
import { Table } from './table.ts';

/** A summary whose vector is missing or was made by another embedder. `said`: the payload of a message. */
export type Unembedded = ReturnType<typeof readUnembedded>;
const readUnembedded = rowReader({ summaryId: number, text, terms: text, said: textOrNull });

const readEmbedding = rowReader({ embedder: text, dim: number });

/** Vectors can be compared if they agree in these. */
export interface VectorsOf {
  readonly name: string;
  readonly version: number;
  readonly dim: number;
}

export interface NewEmbedding {
  readonly summaryId: number;
  /** The text that was embedded. A summary that has changed since is not stored and stays in the queue. */
  readonly text: string;
  /** Packed (`packVector`), of several passages one after the other; or `refusedVector` with a `dim` of 0. */
  readonly vector: Uint8Array;
  readonly dim: number;
}

/** Stored instead of a vector if the embedder has refused the text, so that it is not asked again. */
export const refusedVector = new Uint8Array(1);

/**
 * Many rows as parallel lists, in any order: one value for many rows is much faster than one row each (100,000 vectors: 0.3 s
 * instead of 1.3 s).
 */
export interface VectorRows {
  /** The highest `seq`; 0 without rows. */
  readonly lastSeq: number;
  readonly summaryIds: readonly number[];
  /** The stored dimension of each vector. */
  readonly dims: readonly number[];
  /** The length of each vector in `vectors`; -1 for a vector of another embedder or version, which `vectors` leaves out. */
  readonly byteLengths: readonly number[];
  /** The vectors of the given embedder, concatenated. */
  readonly vectors: Uint8Array;
}

/** The vectors of each summary in one row, with the name, version and dimension of their embedder. */
export class EmbeddingTable extends Table {
  /**
   * Summaries after `afterId` without a vector of this embedder, oldest first. Those with a vector of an embedder in `kept`
   * or with a refused text are not missing.
   */
  missing(
    { name, version, dim }: VectorsOf,
    afterId: number,
    limit: number,
    kept: readonly string[] = [],
  ): Unembedded[] {
    const sql = `
      SELECT s.id AS summary_id, s.text, s.terms, CASE WHEN e.kind = 'message' THEN e.payload_json END AS said
      FROM summaries s LEFT JOIN events e ON e.id = s.event_id LEFT JOIN summary_embeddings v ON v.summary_id = s.id
      WHERE s.id > ? AND (v.seq IS NULL OR (v.embedder <> ? OR v.version <> ? OR v.dim NOT IN (?, 0))
        AND v.embedder NOT IN (SELECT value FROM json_each(?))) ORDER BY s.id LIMIT ?`;
    return this.connection
      .all(sql, afterId, name, version, dim, JSON.stringify(kept), limit)
      .map(readUnembedded);
  }

  /** Stores vectors, each in place of the former one of its summary. Returns how many. */
  save(embedder: string, version: number, embeddings: readonly NewEmbedding[]): number {
    const sql = `
      INSERT OR REPLACE INTO summary_embeddings (summary_id, embedder, version, dim, vector)
      SELECT id, ?, ?, ?, ? FROM summaries WHERE id = ? AND text = ?`;
    return this.connection.transaction(() =>
      embeddings.reduce(
        (count, { summaryId, text: words, vector, dim }) =>
          count + this.connection.run(sql, embedder, version, dim, vector, summaryId, words),
        0,
      ),
    );
  }

  /** At most `limit` rows with a `seq` above the given one, of all embedders, with the vectors of one. */
  rowsAfter(seq: number, embedder: string, version: number, limit: number): VectorRows {
    // group_concat joins blobs as texts, which are bytes too in SQLite; the cast returns them unchanged.
    const sql = `SELECT coalesce(max(seq), 0) AS last_seq, json_group_array(summary_id) AS ids, json_group_array(dim) AS dims,
        json_group_array(coalesce(length(CAST(own AS BLOB)), -1)) AS lengths, CAST(coalesce(group_concat(own, ''), '') AS BLOB) AS vectors
      FROM (SELECT seq, summary_id, dim, CASE WHEN embedder = ? AND version = ? THEN vector END AS own
        FROM summary_embeddings WHERE seq > ? ORDER BY seq LIMIT ?)`;
    const row = this.connection.get(sql, embedder, version, seq, limit) ?? {};
    return {
      lastSeq: number(row, 'last_seq'),
      summaryIds: list<number>(row, 'ids'),
      dims: list<number>(row, 'dims'),
      byteLengths: list<number>(row, 'lengths'),
      vectors: blob(row, 'vectors'),
    };
  }

  /** Whether an embedder of this name has vectors. */
  hasOf(embedder: string): boolean {
    const sql = 'SELECT 1 FROM summary_embeddings WHERE embedder = ? LIMIT 1';
    return this.connection.has(sql, embedder);
  }

  /** The number of vectors of all embedders. SQLite counts an index by its pages: 0.1 ms for 100,000. */
  countAll(): number {
    return this.connection.number('SELECT count(*) AS n FROM summary_embeddings');
  }

  /** The embedder and dimension of a summary's vector. */
  describe(summaryId: number): ReturnType<typeof readEmbedding> | null {
    const sql = 'SELECT embedder, dim FROM summary_embeddings WHERE summary_id = ?';
    return this.connection.one(sql, readEmbedding, summaryId);
  }
}
