import { knownTermsMax } from '../limits.ts';
import { Bm25 } from './bm25.ts';
import { type CallPlace, CallPlaces } from './call-places.ts';
import type { Connection } from './connection.ts';
import type { VectorRows } from './embeddings.ts';
import { type AskedWord, LexicalReads, type Occurrences } from './lexical-reads.ts';
import { number, type Row, text } from './row.ts';
import type { Store } from './store.ts';
import { type Summary, type SummaryFilter, summaryOf } from './summaries.ts';

/** What bm25() counts a term for in each column of `summaries_fts`. */
export interface ColumnWeights {
  readonly text: number;
  readonly terms: number;
}

/** The reads that ranking needs; shaped as search's port, which it does not know. */
export class SearchReads {
  readonly #connection: Connection;
  readonly #store: Pick<Store, 'embeddings' | 'edges' | 'ledger'>;
  readonly #weights: ColumnWeights;
  readonly #lexical: LexicalReads;
  readonly #places: CallPlaces;
  readonly #known = new Map<string, number>();
  #indexState = '';
  #version = 0;
  #seen = '';

  constructor(store: Pick<Store, 'connection' | 'embeddings' | 'edges' | 'ledger'>, weights: ColumnWeights) {
    this.#connection = store.connection;
    this.#store = store;
    this.#weights = weights;
    this.#lexical = new LexicalReads(store.connection);
    this.#places = new CallPlaces(store.connection);
    this.#connection.exec(
      "CREATE VIRTUAL TABLE IF NOT EXISTS temp.summaries_vocab USING fts5vocab('main', 'summaries_fts', 'row')",
    );
  }

  /** Another number after any commit, by this connection or another. */
  dataVersion(): number {
    const own = number(this.#connection.get('SELECT total_changes() AS n') ?? {}, 'n');
    const seen = `${this.#store.ledger.dataVersion()}/${own}`;
    if (seen !== this.#seen) this.#version += 1;
    this.#seen = seen;
    return this.#version;
  }

  /** As the lexical index counts them, which has each of them once: a tenth of a millisecond, however many. */
  summaryCount(): number {
    return Bm25.of(this.#connection).rows;
  }

  documentFrequency(terms: readonly string[]): Map<string, number> {
    const known = this.#frequencies();
    const unknown = terms.filter((term) => !known.has(term));
    if (unknown.length > 0) {
      const sql = 'SELECT term, doc FROM temp.summaries_vocab WHERE term IN (SELECT value FROM json_each(?))';
      const rows = this.#connection.all(sql, JSON.stringify(unknown));
      const found = new Map(rows.map((row) => [text(row, 'term'), number(row, 'doc')]));
      for (const term of unknown) known.set(term, found.get(term) ?? 0);
    }
    return new Map(terms.map((term) => [term, known.get(term) ?? 0] as const).filter(([, doc]) => doc > 0));
  }

  /**
   * What has been counted since the index last changed: FTS5 counts the rows of a word by going through all of them. Every
   * write changes the index's record of its rows (id 1 of `%_data`) or its list of segments (id 10).
   */
  #frequencies(): Map<string, number> {
    const sql =
      "SELECT coalesce(group_concat(hex(block)), '') AS state FROM summaries_fts_data WHERE id IN (1, 10)";
    const state = text(this.#connection.get(sql) ?? {}, 'state');
    if (state !== this.#indexState || this.#known.size > knownTermsMax) this.#known.clear();
    this.#indexState = state;
    return this.#known;
  }

  /** Best first; a score is `-bm25()`, higher is better. Any of some words without a filter costs a fraction: see `LexicalReads`. */
  lexical(match: string, limit: number, filter: SummaryFilter): { id: number; score: number }[] {
    const { sql, values } = filterSql(filter);
    const words =
      sql === '' && this.#weights.text === 1 && this.#weights.terms === 1 ? this.#wordsOf(match) : [];
    const best = words.length === 0 ? null : this.#lexical.best(words, limit);
    if (best !== null) return best;
    const score = `bm25(summaries_fts, ${this.#weights.text}, ${this.#weights.terms})`;
    const rows = this.#connection.all(
      `SELECT f.rowid AS id, -${score} AS score FROM summaries_fts f
       ${sql === '' ? '' : 'JOIN summaries s ON s.id = f.rowid JOIN events e ON e.id = s.event_id'}
       WHERE summaries_fts MATCH ? ${sql} ORDER BY ${score}, f.rowid DESC LIMIT ?`,
      match,
      ...values,
      limit,
    );
    return rows.map((row) => ({ id: number(row, 'id'), score: number(row, 'score') }));
  }

  /** The words of an expression as `matchExpression` writes it, any of quoted terms; none when it is another one. */
  #wordsOf(match: string): AskedWord[] {
    const parts = [...match.matchAll(/"((?:[^"]|"")*)"(\*?)/g)];
    if (parts.map(([part]) => part).join(' OR ') !== match) return [];
    const words = parts.map(([, term = '', star]) => ({
      term: term.replaceAll('""', '"'),
      prefix: star === '*',
    }));
    return this.#counted(words);
  }

  #counted(words: readonly Omit<AskedWord, 'documents'>[]): AskedWord[] {
    const documents = this.documentFrequency(words.map(({ term }) => term));
    return words.map(({ term, prefix }) => ({ term, prefix, documents: documents.get(term) ?? 0 }));
  }

  filteredIds(filter: SummaryFilter): Set<number> | null {
    const { sql, values } = filterSql(filter);
    if (sql === '') return null;
    const rows = this.#connection.all(
      `SELECT s.id FROM summaries s JOIN events e ON e.id = s.event_id WHERE 1 ${sql}`,
      ...values,
    );
    return new Set(rows.map((row) => number(row, 'id')));
  }

  places(ids: readonly number[]): CallPlace[] {
    return this.#places.of(ids, this.dataVersion());
  }

  rows(ids: readonly number[]): (Summary & { readonly terms: string })[] {
    const sql = `SELECT s.id, s.event_id, e.tool_use_id, s.text, s.terms, s.model, s.ts, e.tool, e.session_id, s.pinned
      FROM summaries s JOIN events e ON e.id = s.event_id WHERE s.id IN (SELECT value FROM json_each(?))`;
    return this.#connection
      .all(sql, JSON.stringify(ids))
      .map((row: Row) => ({ ...summaryOf(row), terms: text(row, 'terms') }));
  }

  /** What the index holds of those of `ids` that are in it, in any order. */
  occurrences(ids: readonly number[], words: readonly Omit<AskedWord, 'documents'>[]): Occurrences[] {
    return this.#lexical.occurrences(ids, this.#counted(words));
  }

  supersededBy(ids: readonly number[]): { older: number; newer: number }[] {
    return this.#store.edges.superseding(ids).map(({ from, to }) => ({ older: to, newer: from }));
  }

  /** The sessions of the summaries of `ids`, in their order; '' where there is no such summary, or no session. */
  sessionsOf(ids: readonly number[]): string[] {
    const sql = `SELECT json_group_array(session) AS sessions FROM (SELECT coalesce(e.session_id, '') AS session
      FROM json_each(?) j LEFT JOIN summaries s ON s.id = j.value LEFT JOIN events e ON e.id = s.event_id ORDER BY j.key)`;
    return JSON.parse(text(this.#connection.get(sql, JSON.stringify(ids)) ?? {}, 'sessions')) as string[];
  }

  vectorsAfter(seq: number, embedder: string, version: number, limit: number): VectorRows {
    return this.#store.embeddings.rowsAfter(seq, embedder, version, limit);
  }

  vectorsOf(ids: readonly number[], embedder: string, version: number): VectorRows {
    return this.#store.embeddings.rowsOf(ids, embedder, version);
  }

  vectorCount(): number {
    return this.#store.embeddings.countAll();
  }

  vectorCountBetween(from: number, until: number): number {
    return this.#store.embeddings.countBetween(from, until);
  }

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
