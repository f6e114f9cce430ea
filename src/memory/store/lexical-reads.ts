import type { AskedWord } from '../terms/index.ts';
import { Bm25, indexState, timesIn } from './bm25.ts';
import type { Connection } from './connection.ts';
import { type Postings, readPostings, union } from './postings.ts';
import { list, number, text } from './row.ts';
import { WordCounts } from './word-counts.ts';

const lexicalSpare = 50;
const lexicalPrefixTermsMax = 200;
const lexicalVisitedMax = 40_000;
const lexicalVisitedShare = 0.1;

/** What the index holds of one summary. */
export interface Occurrences {
  readonly id: number;
  /** How often each of the words stands there, both columns together. */
  readonly counts: readonly number[];
  /** In terms, both columns together. */
  readonly length: number;
}

/**
 * BM25 over the lexical index. FTS5's own bm25() takes 0.65 us for each row that matches, and frequent words match half of
 * all; its lists of rows (`readPostings`) take a tenth of that. Of very many rows those of the rarest words are
 * read, and the best by those words are then scored for all of them from what the index holds of them: what
 * has none but frequent words can be missed there. Scores are by FTS5's formula in any case.
 */
export class LexicalReads {
  readonly #connection: Connection;
  readonly #counts: WordCounts;
  readonly #visitedMax: number;
  #last: Read | null = null;

  /** `visitedMax`: of how many rows lists are read; of more when the index holds very many. */
  constructor(connection: Connection, visitedMax = lexicalVisitedMax) {
    this.#connection = connection;
    this.#visitedMax = visitedMax;
    this.#counts = new WordCounts(connection);
  }

  /** The `limit` best for any of `words`, best first, of equals the higher id first; null when FTS5 has to tell. */
  best(words: readonly AskedWord[], limit: number): { id: number; score: number }[] | null {
    const read = this.#read(words);
    if (read === null) return null;
    this.#counts.follow();
    const bm25 = Bm25.of(this.#connection);
    const idfs = words.map(({ documents }, at) => bm25.idf(read.lists[at]?.ids.length ?? documents));
    const scores = this.#counts.zeros();
    for (const [at, list] of read.lists.entries()) {
      if (list !== null) this.#counts.addShares(scores, list, bm25, idfs[at] ?? 0);
    }
    const isWhole = !read.lists.includes(null);
    const likely = scores.highest(isWhole ? limit + lexicalSpare : limit * 2);
    return this.#count(likely, words, read)
      .map(({ id, counts, length }) => ({ id, score: bm25.score(counts, length, idfs) }))
      .sort((a, b) => b.score - a.score || b.id - a.id)
      .slice(0, limit);
  }

  /** Those of `ids` that the index has, in any order. */
  occurrences(ids: readonly number[], words: readonly AskedWord[]): Occurrences[] {
    return this.#count(ids, words, this.#read(words));
  }

  #count(ids: readonly number[], words: readonly AskedWord[], read: Read | null): Occurrences[] {
    const counted = read?.counted ?? new Map<number, Occurrences>();
    const unknown = ids.filter((id) => !counted.has(id)).sort((a, b) => a - b);
    if (unknown.length > 0) {
      const columns = words.map((_, at) => timesOf(unknown, read?.lists[at] ?? null));
      if (columns.includes(null)) this.#countInTexts(unknown, words, columns);
      const lengths = new Map(this.#counts.exact(unknown).map(({ id, length }) => [id, length]));
      for (const [at, id] of unknown.entries()) {
        const length = lengths.get(id);
        if (length === undefined) continue;
        counted.set(id, { id, length, counts: columns.map((column) => column?.[at] ?? 0) });
      }
    }
    return ids.flatMap((id) => counted.get(id) ?? []);
  }

  /** What was read for the same words is kept until the index changes: ranking asks twice. */
  #read(words: readonly AskedWord[]): Read | null {
    const asked = words.map(({ term, prefix, documents }) => [term, prefix, documents]);
    const of = `${indexState(this.#connection)} ${JSON.stringify(asked)}`;
    if (this.#last?.of === of) return this.#last;
    const lists = this.#listsOf(words);
    this.#last = lists === null ? null : { of, lists, counted: new Map() };
    return this.#last;
  }

  /** Of each word its rows; null for one of those whose rows are too many to read. */
  #listsOf(words: readonly AskedWord[]): (Postings | null)[] | null {
    const visited = this.#visited(words);
    const terms = words.map((word) => {
      if (!visited.has(word)) return [];
      return word.prefix ? this.#termsFrom(word.term) : [word.term];
    });
    if (terms.some(({ length }) => length > lexicalPrefixTermsMax)) return null;
    try {
      const postings = readPostings(this.#connection, [...new Set(terms.flat())]);
      if (postings === null) return null;
      return words.map((word, at) =>
        visited.has(word) ? union((terms[at] ?? []).flatMap((term) => postings.get(term) ?? [])) : null,
      );
    } catch (error) {
      // An index that is not as it should be: what is to be made of it is FTS5's to say.
      if (error instanceof RangeError) return null;
      throw error;
    }
  }

  /** The words whose rows are read: prefixes, and of the others the rarest. */
  #visited(words: readonly AskedWord[]): Set<AskedWord> {
    const visitedMax = Math.max(this.#visitedMax, Bm25.of(this.#connection).rows * lexicalVisitedShare);
    const visited = new Set(words.filter(({ prefix }) => prefix));
    let rows = 0;
    for (const word of [...words].sort((a, b) => a.documents - b.documents)) {
      if (word.prefix) continue;
      rows += word.documents;
      if (visited.size === 0 || rows <= visitedMax) visited.add(word);
    }
    return visited;
  }

  /** From the table of terms that `SearchReads` has made. */
  #termsFrom(prefix: string): string[] {
    const sql = `SELECT json_group_array(term) AS terms FROM (SELECT term FROM temp.summaries_vocab
      WHERE term >= ?1 AND term < ?1 || char(0x10ffff) LIMIT ${lexicalPrefixTermsMax + 1})`;
    return list(this.#connection.get(sql, prefix) ?? {}, 'terms');
  }

  /** Puts a column in place of each one that is null, by what the index holds of `ids`. */
  #countInTexts(ids: readonly number[], words: readonly AskedWord[], columns: (number[] | null)[]): void {
    const sql = `SELECT id, c0 || ' ' || c1 AS text FROM summaries_fts_content
      WHERE id IN (SELECT value FROM json_each(?))`;
    const rows = this.#connection.all(sql, JSON.stringify(ids));
    const framed = new Map(rows.map((row) => [number(row, 'id'), ` ${text(row, 'text')} `]));
    for (const [at, word] of words.entries())
      columns[at] ??= ids.map((id) => timesIn(framed.get(id) ?? '', word));
  }
}

/** What has been read of an index as it was, for some words. */
interface Read {
  readonly of: string;
  readonly lists: readonly (Postings | null)[];
  readonly counted: Map<number, Occurrences>;
}

/** How often a list has each of `ids`, which ascend. */
function timesOf(ids: readonly number[], list: Postings | null): number[] | null {
  if (list === null) return null;
  let from = 0;
  return ids.map((id) => {
    let until = list.ids.length;
    while (from < until) {
      const middle = (from + until) >>> 1;
      if ((list.ids[middle] ?? 0) < id) from = middle + 1;
      else until = middle;
    }
    return list.ids[from] === id ? (list.times[from] ?? 0) : 0;
  });
}
