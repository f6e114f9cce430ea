/** What search asks of the store. All calls are synchronous reads; none waits for a writer. */
export interface SearchStore {
  /**
   * A number that is another one after any commit to the database, by this connection, another one of this
   * process or another process (`PRAGMA data_version` sees only the others' commits).
   */
  dataVersion(): number;
  /** How many summaries there are. */
  summaryCount(): number;
  /**
   * In how many summaries each of `terms` stands (`fts5vocab`, type `row`); a term that stands nowhere is left out.
   * https://www.sqlite.org/fts5.html#the_fts5vocab_virtual_table_module
   */
  documentFrequency(terms: readonly string[]): ReadonlyMap<string, number>;
  /**
   * The `limit` best summaries for an FTS5 MATCH expression among those the filter leaves, best first, of equals
   * the higher id first. `score` is `-bm25(summaries_fts, textWeight, termsWeight)`: higher is better.
   */
  lexical(match: string, limit: number, filter: SearchFilter): ScoredId[];
  /** The ids of all summaries that the filter leaves; null when it leaves all. */
  filteredIds(filter: SearchFilter): ReadonlySet<number> | null;
  /** The summaries of `ids` that exist, in any order. */
  rows(ids: readonly number[]): SearchRow[];
  /** The direct `supersedes` edges that end at one of `ids`. */
  supersededBy(ids: readonly number[]): Supersession[];
  /** At most `limit` vectors of this embedder and version with a `seq` above the given one, lowest first. */
  vectorsAfter(seq: number, embedder: string, version: number, limit: number): StoredVector[];
  /** How many vectors of this embedder and version there are. */
  vectorCount(embedder: string, version: number): number;
}

/**
 * Weights of the two columns of `summaries_fts` in bm25(). Equal: over the summaries of the built-in summariser, 1.5 for
 * the terms gained on commit queries what it lost on prompts, and less than 1 lost on both.
 */
export const textWeight = 1;
export const termsWeight = 1;

/** Equality on each that is given. */
export interface SearchFilter {
  readonly session?: string | undefined;
  readonly tool?: string | undefined;
}

export interface ScoredId {
  readonly id: number;
  readonly score: number;
}

export interface SearchRow {
  readonly id: number;
  readonly eventId: string;
  readonly toolUseId: string | null;
  readonly text: string;
  /** `summaries.terms`, as stored. */
  readonly terms: string;
  readonly model: string;
  /** ISO 8601, UTC. */
  readonly ts: string;
  readonly tool: string;
  readonly sessionId: string;
  readonly pinned: boolean;
}

export interface Supersession {
  readonly older: number;
  readonly newer: number;
}

export interface StoredVector {
  readonly seq: number;
  readonly summaryId: number;
  /** float32, little-endian. */
  readonly vector: Uint8Array;
}
