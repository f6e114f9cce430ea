import { type AskedWord, matchExpression } from '../terms/index.ts';
import { Bm25, indexState } from './bm25.ts';
import { type CallPosition, CallPositions } from './call-positions.ts';
import type { Connection } from './connection.ts';
import type { VectorRows } from './embeddings.ts';
import { LexicalReads, type Occurrences } from './lexical-reads.ts';
import { list, number, text } from './row.ts';
import type { Store } from './store.ts';
import { readSummary, type Summary, type SummaryFilter, summaryColumns } from './summaries.ts';
import { Vocabulary } from './vocabulary.ts';

const knownTermsMax = 10_000;

export interface SummaryWithTerms extends Summary {
  readonly terms: string;
}

/** The reads of search. All are synchronous; none waits for a writer. */
export class SearchReads {
  readonly #connection: Connection;
  readonly #store: Pick<Store, 'embeddings' | 'edges'>;
  readonly #vocabulary: Vocabulary;
  readonly #lexical: LexicalReads;
  readonly #positions: CallPositions;
  readonly #known = new Map<string, number>();
  #indexState = '';
  #version = 0;
  #seen = '';

  constructor(store: Pick<Store, 'connection' | 'embeddings' | 'edges'>) {
    this.#connection = store.connection;
    this.#store = store;
    this.#vocabulary = new Vocabulary(store.connection);
    this.#lexical = new LexicalReads(store.connection, this.#vocabulary);
    this.#positions = new CallPositions(store.connection);
  }

  /** Changes with every commit, by this connection or another. */
  dataVersion(): number {
    const seen = this.#connection.changes();
    if (seen !== this.#seen) this.#version += 1;
    this.#seen = seen;
    return this.#version;
  }

  /** The count of the lexical index, which takes 0.1 ms for any size. */
  summaryCount(): number {
    return Bm25.of(this.#connection).rows;
  }

  /** The number of summaries with each of `terms`; a term without summaries is left out. */
  documentFrequency(terms: readonly string[]): Map<string, number> {
    const known = this.#frequencies();
    const unknown = terms.filter((term) => !known.has(term));
    if (unknown.length > 0) {
      const found = this.#vocabulary.documentFrequency(unknown);
      for (const term of unknown) known.set(term, found.get(term) ?? 0);
    }
    return new Map(terms.map((term) => [term, known.get(term) ?? 0] as const).filter(([, doc]) => doc > 0));
  }

  /** What has been counted since the index last changed: FTS5 counts the rows of a word by going through all of them. */
  #frequencies(): Map<string, number> {
    const state = indexState(this.#connection);
    if (state !== this.#indexState || this.#known.size > knownTermsMax) this.#known.clear();
    this.#indexState = state;
    return this.#known;
  }

  /**
   * The best matches for any of `words`, best first; the score is `-bm25()`, higher is better. Without a filter `LexicalReads` is
   * faster. Both columns have equal weight: other weights did not help (docs/research).
   */
  lexical(
    words: readonly AskedWord[],
    limit: number,
    filter: SummaryFilter,
  ): { id: number; score: number }[] {
    const { sql, values } = filterSql(filter);
    if (sql === '' && words.length > 0) return this.#lexical.best(words, limit);
    const match = matchExpression(words);
    if (match === null) return [];
    const rows = this.#connection.all(
      `SELECT f.rowid AS id, -bm25(summaries_fts) AS score FROM summaries_fts f
       ${sql === '' ? '' : 'JOIN summaries s ON s.id = f.rowid JOIN events e ON e.id = s.event_id'}
       WHERE summaries_fts MATCH ? ${sql} ORDER BY bm25(summaries_fts), f.rowid DESC LIMIT ?`,
      match,
      ...values,
      limit,
    );
    return rows.map((row) => ({ id: number(row, 'id'), score: number(row, 'score') }));
  }

  /** The ids of all summaries that match the filter; null without a filter. */
  filteredIds(filter: SummaryFilter): Set<number> | null {
    const { sql, values } = filterSql(filter);
    if (sql === '') return null;
    const rows = this.#connection.all(
      `SELECT s.id FROM summaries s JOIN events e ON e.id = s.event_id WHERE 1 ${sql}`,
      ...values,
    );
    return new Set(rows.map((row) => number(row, 'id')));
  }

  /** The positions of the existing ones of `ids`, in any order. */
  places(ids: readonly number[]): CallPosition[] {
    return this.#positions.of(ids, this.dataVersion());
  }

  /** The summaries of `ids` that exist, in any order. */
  rows(ids: readonly number[]): SummaryWithTerms[] {
    const sql = `SELECT ${summaryColumns}, s.terms
      FROM summaries s JOIN events e ON e.id = s.event_id WHERE s.id IN (SELECT value FROM json_each(?))`;
    return this.#connection
      .all(sql, JSON.stringify(ids))
      .map((row) => ({ ...readSummary(row), terms: text(row, 'terms') }));
  }

  /** The counts of `words` in those of `ids` that the index holds, in any order. */
  occurrences(ids: readonly number[], words: readonly AskedWord[]): Occurrences[] {
    return this.#lexical.occurrences(ids, words);
  }

  /** The direct `supersedes` edges that end at one of `ids`. */
  supersededBy(ids: readonly number[]): { older: number; newer: number }[] {
    return this.#store.edges.superseding(ids).map(({ from, to }) => ({ older: to, newer: from }));
  }

  /** The sessions of the summaries of `ids`, in their order; '' for a missing summary or session. */
  sessionsOf(ids: readonly number[]): string[] {
    const sql = `SELECT json_group_array(session) AS sessions FROM (SELECT coalesce(e.session_id, '') AS session
      FROM json_each(?) j LEFT JOIN summaries s ON s.id = j.value LEFT JOIN events e ON e.id = s.event_id ORDER BY j.key)`;
    return list(this.#connection.get(sql, JSON.stringify(ids)) ?? {}, 'sessions');
  }

  /** See `EmbeddingTable.rowsAfter`. */
  vectorsAfter(seq: number, embedder: string, version: number, limit: number): VectorRows {
    return this.#store.embeddings.rowsAfter(seq, embedder, version, limit);
  }

  vectorCount(): number {
    return this.#store.embeddings.countAll();
  }

  /** Counts the ids of `vectorIdsBetween`. */
  vectorCountBetween(from: number, until: number): number {
    return this.#store.embeddings.countBetween(from, until);
  }

  /** The summaries with `from` <= id < `until` that have a vector of any embedder. */
  vectorIdsBetween(from: number, until: number): number[] {
    return this.#store.embeddings.idsBetween(from, until);
  }
}

function filterSql({ session, tool }: SummaryFilter): { sql: string; values: string[] } {
  const parts: string[] = [];
  const values: string[] = [];
  if (session !== undefined) {
    parts.push('AND e.session_id = ?');
    values.push(session);
  }
  if (tool !== undefined) {
    parts.push('AND e.tool = ?');
    values.push(tool);
  }
  return { sql: parts.join(' '), values };
}
