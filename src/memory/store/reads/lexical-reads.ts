import type { AskedWord } from '#reading/terms';
import { number, text } from '../row.ts';
import { Table } from '../tables/table.ts';
import { Bm25, indexState, timesIn } from './bm25.ts';
import { TopScores } from './top-scores.ts';
import type { Postings, Vocabulary } from './vocabulary.ts';
import { WordCounts } from './word-counts.ts';

const lexicalSpare = 50;
const lexicalVisitedMax = 40_000;
const lexicalVisitedShare = 0.1;

/** The counts of words in one summary. */
export interface Occurrences {
  readonly id: number;
  /** How often each word occurs, both columns together. */
  readonly counts: readonly number[];
  /** In terms, both columns together. */
  readonly length: number;
}

/**
 * BM25 over the lexical index, with FTS5's formula but not its bm25(), which is too slow for frequent words
 * (docs/decisions/027). If the words occur in very many rows, only the rows of the rarest words are read. The best of those
 * are then scored for all words. A row that holds only frequent words can be missed.
 */
export class LexicalReads extends Table {
  readonly #vocabulary: Vocabulary;
  readonly #counts = new WordCounts(this);
  readonly #visitedMax: number;
  readonly #once: boolean;
  readonly #scores = new TopScores();
  #last: Read | null = null;

  /**
   * `visitedMax`: how many rows are read; more if the index holds very many. `once`: for one query the lengths of all rows are not
   * read, and twice as many candidates are scored.
   */
  constructor(
    owner: Pick<Table, 'connection'>,
    vocabulary: Vocabulary,
    { visitedMax = lexicalVisitedMax, once = false } = {},
  ) {
    super(owner);
    this.#once = once;
    this.#vocabulary = vocabulary;
    this.#visitedMax = visitedMax;
  }

  /**
   * The `limit` best rows for any of `words` among those that `isAsked`, best first; of equals the higher id first. With `isAsked` the
   * rows of every word are read.
   */
  best(
    words: readonly AskedWord[],
    limit: number,
    isAsked: ((id: number) => boolean) | null = null,
  ): { id: number; score: number }[] {
    const read = this.#read(words, isAsked !== null);
    const bm25 = Bm25.of(this.connection);
    const idfs = words.map(({ documents }, at) => bm25.idf(read.lists[at]?.ids.length ?? documents));
    const lengths = this.#once ? null : this.#counts.all();
    const scores = this.#scores;
    for (const [at, list] of read.lists.entries()) {
      const idf = idfs[at] ?? 0;
      const { ids = [], times = [] } = list ?? {};
      // Thousands of rows: an iterator makes an object for each.
      for (let row = 0; row < ids.length; row++) {
        const id = ids[row] ?? 0;
        if (isAsked !== null && !isAsked(id)) continue;
        scores.add(id, bm25.share(idf, times[row] ?? 0, lengths?.get(id) ?? bm25.usual));
      }
    }
    const isWhole = !read.lists.includes(null);
    const likely = scores.highest(isWhole && lengths !== null ? limit + lexicalSpare : limit * 2);
    return this.#count(likely, words, read)
      .map(({ id, counts, length }) => ({ id, score: bm25.score(counts, length, idfs) }))
      .sort((a, b) => b.score - a.score || b.id - a.id)
      .slice(0, limit);
  }

  /** The counts for those of `ids` that the index holds, in any order. */
  occurrences(ids: readonly number[], words: readonly AskedWord[]): Occurrences[] {
    return this.#count(ids, words, this.#read(words));
  }

  #count(ids: readonly number[], words: readonly AskedWord[], read: Read): Occurrences[] {
    const { counted, lists } = read;
    const unknown = ids.filter((id) => !counted.has(id)).sort((a, b) => a - b);
    if (unknown.length > 0) {
      const columns = words.map((_, at) => timesOf(unknown, lists[at] ?? null));
      if (columns.includes(null)) this.#countInTexts(unknown, words, columns);
      const lengths = new Map(this.#counts.exact(unknown).map(({ id, length }) => [id, length]));
      for (const [at, id] of unknown.entries()) {
        const length = lengths.get(id);
        if (length === undefined) continue;
        const counts: number[] = [];
        for (const column of columns) counts.push(column?.[at] ?? 0);
        counted.set(id, { id, length, counts });
      }
    }
    return ids.flatMap((id) => counted.get(id) ?? []);
  }

  /** Kept for the same words until the index changes: ranking asks twice. */
  #read(words: readonly AskedWord[], whole = false): Read {
    const asked = words.map(({ term, prefix, documents }) => [term, prefix, documents]);
    const state = indexState(this.connection);
    const of = `${state} ${whole} ${JSON.stringify(asked)}`;
    if (this.#last?.of === of) return this.#last;
    this.#last = { of, lists: this.#listsOf(words, whole, state), counted: new Map() };
    return this.#last;
  }

  /** The rows of each word; null for a word whose rows are too many to read. */
  #listsOf(words: readonly AskedWord[], whole: boolean, state: string): (Postings | null)[] {
    const visited = whole ? new Set(words) : this.#visited(words);
    return words.map((word) => (visited.has(word) ? this.#vocabulary.postings(word, state) : null));
  }

  /** The words whose rows are read: prefixes, and the rarest of the others. */
  #visited(words: readonly AskedWord[]): Set<AskedWord> {
    const visitedMax = Math.max(this.#visitedMax, Bm25.of(this.connection).rows * lexicalVisitedShare);
    const visited = new Set(words.filter(({ prefix }) => prefix));
    let rows = 0;
    for (const word of [...words].sort((a, b) => a.documents - b.documents)) {
      if (word.prefix) continue;
      rows += word.documents;
      if (visited.size === 0 || rows <= visitedMax) visited.add(word);
    }
    return visited;
  }

  /** Replaces each null column by counting in the indexed texts of `ids`. */
  #countInTexts(ids: readonly number[], words: readonly AskedWord[], columns: (number[] | null)[]): void {
    const sql = `SELECT id, c0 || ' ' || c1 AS text FROM summaries_fts_content
      WHERE id IN (SELECT value FROM json_each(?))`;
    const rows = this.connection.all(sql, JSON.stringify(ids));
    const framed = new Map(rows.map((row) => [number(row, 'id'), ` ${text(row, 'text')} `]));
    for (const [at, word] of words.entries())
      columns[at] ??= ids.map((id) => timesIn(framed.get(id) ?? '', word));
  }
}

/** What was read for some words and one state of the index. */
interface Read {
  readonly of: string;
  readonly lists: readonly (Postings | null)[];
  readonly counted: Map<number, Occurrences>;
}

/** How often each of `ids` (ascending) occurs in a list. */
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
