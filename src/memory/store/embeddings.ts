import { packedIn } from '../vector/index.ts';
import type { Connection } from './connection.ts';
import { blob, list, number, text } from './row.ts';

/** A summary whose vector is missing or was made by another embedder. */
export interface Unembedded {
  readonly summaryId: number;
  readonly text: string;
  readonly terms: string;
}

/** What vectors must agree in to be compared. */
export interface VectorsOf {
  readonly name: string;
  readonly version: number;
  readonly dim: number;
}

export interface NewEmbedding {
  readonly summaryId: number;
  /** The text the vector was made of; a summary that has changed since keeps its place in the queue. */
  readonly text: string;
  /** Packed, or float32, little-endian, which is packed on its way in; `refusedVector` with a `dim` of 0. */
  readonly vector: Uint8Array;
  readonly dim: number;
}

export interface StoredVector {
  readonly seq: number;
  readonly summaryId: number;
  readonly vector: Uint8Array;
}

/** What stands in a vector's place where the embedder has refused the text: it is asked about it no more. */
export const refusedVector = new Uint8Array(1);

/**
 * Many vectors in few values: a row that crosses into JavaScript costs as much as ten that SQLite puts together (100,000
 * vectors: 0.3 s instead of 1.3 s). What stands at one place of each list belongs together; the order is any.
 */
export interface VectorRows {
  /** The highest `seq` among them; 0 when there are none. */
  readonly lastSeq: number;
  readonly summaryIds: readonly number[];
  /** How many numbers each vector is said to have. */
  readonly dims: readonly number[];
  /** Of each vector in `vectors`; -1 for one of another embedder or version, which is not in there. */
  readonly byteLengths: readonly number[];
  /** Those of the embedder asked for, one behind the other. */
  readonly vectors: Uint8Array;
}

/** One vector a summary, each with the name, version and dimension of what made it. */
export class EmbeddingTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Summaries without a vector of this embedder, oldest first, behind `afterId`. Those with one of an embedder named in
   * `kept` are not missing any, nor are those whose text it has refused.
   */
  missing(
    { name, version, dim }: VectorsOf,
    afterId: number,
    limit: number,
    kept: readonly string[] = [],
  ): Unembedded[] {
    const sql = `
      SELECT s.id, s.text, s.terms FROM summaries s LEFT JOIN summary_embeddings v ON v.summary_id = s.id
      WHERE s.id > ? AND (v.seq IS NULL OR (v.embedder <> ? OR v.version <> ? OR v.dim NOT IN (?, 0))
        AND v.embedder NOT IN (SELECT value FROM json_each(?))) ORDER BY s.id LIMIT ?`;
    const rows = this.#connection.all(sql, afterId, name, version, dim, JSON.stringify(kept), limit);
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
      embeddings.reduce((count, { summaryId, text: words, vector, dim }) => {
        const packed = packedIn(vector, dim) ?? vector;
        return count + this.#connection.run(sql, embedder, version, dim, packed, summaryId, words);
      }, 0),
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

  /** The rows stored behind `seq`, whoever made them, with the vectors of one embedder. */
  rowsAfter(seq: number, embedder: string, version: number, limit: number): VectorRows {
    // Blobs are joined as texts, which in SQLite are bytes as well; the cast gives them back untouched.
    const sql = `SELECT coalesce(max(seq), 0) AS last_seq, json_group_array(summary_id) AS ids, json_group_array(dim) AS dims,
        json_group_array(coalesce(length(CAST(own AS BLOB)), -1)) AS lengths, CAST(coalesce(group_concat(own, ''), '') AS BLOB) AS vectors
      FROM (SELECT seq, summary_id, dim, CASE WHEN embedder = ? AND version = ? THEN vector END AS own
        FROM summary_embeddings WHERE seq > ? ORDER BY seq LIMIT ?)`;
    const row = this.#connection.get(sql, embedder, version, seq, limit) ?? {};
    return {
      lastSeq: number(row, 'last_seq'),
      summaryIds: list<number>(row, 'ids'),
      dims: list<number>(row, 'dims'),
      byteLengths: list<number>(row, 'lengths'),
      vectors: blob(row, 'vectors'),
    };
  }

  /** Whether there are vectors of an embedder of this name. */
  hasOf(embedder: string): boolean {
    const sql = 'SELECT 1 FROM summary_embeddings WHERE embedder = ? LIMIT 1';
    return this.#connection.get(sql, embedder) !== undefined;
  }

  /** How many vectors there are, whoever made them. SQLite counts an index by its pages: 0.1 ms for 100,000. */
  countAll(): number {
    return number(this.#connection.get('SELECT count(*) AS n FROM summary_embeddings') ?? {}, 'n');
  }

  /** How many summaries with an id of at least `from` and below `until` have a vector, whoever made it. */
  countBetween(from: number, until: number): number {
    const sql = 'SELECT count(*) AS n FROM summary_embeddings WHERE summary_id >= ? AND summary_id < ?';
    return number(this.#connection.get(sql, from, until) ?? {}, 'n');
  }

  /** The ids of the summaries that `countBetween` counts. */
  idsBetween(from: number, until: number): number[] {
    const sql = `SELECT json_group_array(summary_id) AS ids FROM summary_embeddings
      WHERE summary_id >= ? AND summary_id < ?`;
    return list<number>(this.#connection.get(sql, from, until) ?? {}, 'ids');
  }

  /** Who made the vector of a summary, and how long it is. */
  describe(summaryId: number): { embedder: string; dim: number } | null {
    const sql = 'SELECT embedder, dim FROM summary_embeddings WHERE summary_id = ?';
    const row = this.#connection.get(sql, summaryId);
    return row === undefined ? null : { embedder: text(row, 'embedder'), dim: number(row, 'dim') };
  }
}
