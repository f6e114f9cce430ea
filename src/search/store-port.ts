import type { AskedWord } from '../terms/index.ts';

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
   * The `limit` best summaries for any of `words` (one at least) among those the filter leaves, best first, of equals the
   * higher id first. `score` is `-bm25(summaries_fts)`: higher is better.
   */
  lexical(words: readonly AskedWord[], limit: number, filter: SearchFilter): ScoredId[];
  /** The ids of all summaries that the filter leaves; null when it leaves all. */
  filteredIds(filter: SearchFilter): ReadonlySet<number> | null;
  /** Where those of `ids` that exist stand, in any order: all that ranking needs of hundreds of candidates. */
  places(ids: readonly number[]): CallPlace[];
  /** The summaries of `ids` that exist, in any order. */
  rows(ids: readonly number[]): SearchRow[];
  /** How often each of `words` stands in each of `ids` that is in the index, both columns together. In any order. */
  occurrences(ids: readonly number[], words: readonly AskedWord[]): Occurrences[];
  /** The direct `supersedes` edges that end at one of `ids`. */
  supersededBy(ids: readonly number[]): Supersession[];
  /** The sessions of the summaries of `ids`, in their order; '' where there is no such summary, or no session. */
  sessionsOf(ids: readonly number[]): string[];
  /** At most `limit` rows with a `seq` above the given one, whoever made them, those of the lowest `seq`. */
  vectorsAfter(seq: number, embedder: string, version: number, limit: number): VectorRows;
  /** How many vectors there are, whoever made them. */
  vectorCount(): number;
  /** How many summaries with an id of at least `from` and below `until` have a vector, whoever made it. */
  vectorCountBetween(from: number, until: number): number;
  /** The ids of those. */
  vectorIdsBetween(from: number, until: number): number[];
}

/** Equality on each that is given. */
export interface SearchFilter {
  readonly session?: string | undefined;
  readonly tool?: string | undefined;
}

export interface ScoredId {
  readonly id: number;
  readonly score: number;
}

/** When, in what session and by what tool a call was made. */
export interface CallPlace {
  /** `summaries.id` */
  readonly id: number;
  /** ISO 8601, UTC. */
  readonly ts: string;
  readonly tool: string;
  readonly sessionId: string;
  readonly pinned: boolean;
}

export interface SearchRow extends CallPlace {
  readonly eventId: string;
  readonly toolUseId: string | null;
  readonly text: string;
  /** `summaries.terms`, as stored. */
  readonly terms: string;
  readonly model: string;
}

export interface Occurrences {
  readonly id: number;
  /** Of each word, in their order. */
  readonly counts: readonly number[];
  /** How many terms it has. */
  readonly length: number;
}

export interface Supersession {
  readonly older: number;
  readonly newer: number;
}

/** Vectors as the database has them. What stands at one place of each list belongs together; the order is any. */
export interface VectorRows {
  /** The highest `seq` among them; 0 when there are none. */
  readonly lastSeq: number;
  readonly summaryIds: readonly number[];
  /** How many numbers each vector is said to have. */
  readonly dims: readonly number[];
  /** Of each vector in `vectors`; -1 for one of another embedder or version, which is not in there. */
  readonly byteLengths: readonly number[];
  /** In any form that `packedIn` reads: those of the embedder and version asked for, one behind the other. */
  readonly vectors: Uint8Array;
}
