import type { Connection } from './connection.ts';
import { blob } from './row.ts';
import { variableNumbers } from './word-counts.ts';

/** A word with what it is worth. */
export interface Bm25Word {
  readonly term: string;
  readonly prefix: boolean;
  readonly idf: number;
}

/** FTS5's bm25() with both columns alike, negated: higher is better (https://www.sqlite.org/fts5.html#the_bm25_function). */
export class Bm25 {
  /** How many rows the index holds. */
  readonly rows: number;
  readonly #usual: number;

  constructor(rows: number, terms: number) {
    this.rows = rows;
    this.#usual = terms / Math.max(1, rows);
  }

  /** By the index's own record of its rows and of the terms in each column (id 1 of `%_data`). */
  static of(connection: Connection): Bm25 {
    const row = connection.get('SELECT block FROM summaries_fts_data WHERE id = 1') ?? {};
    const [rows = 0, ...terms] = variableNumbers(blob(row, 'block'));
    return new Bm25(
      rows,
      terms.reduce((sum, one) => sum + one, 0),
    );
  }

  word({ term, prefix }: Pick<Bm25Word, 'term' | 'prefix'>, documents: number): Bm25Word {
    const idf = Math.log((this.rows - documents + 0.5) / (documents + 0.5));
    return { term, prefix, idf: idf <= 0 ? 1e-6 : idf };
  }

  /** What a word that stands `times` times among `length` terms adds. */
  share({ idf }: Bm25Word, times: number, length: number): number {
    return (idf * times * (k1 + 1)) / (times + k1 * (1 - b + (b * length) / this.#usual));
  }

  /** Of a text as the index holds it: terms with one space between. */
  score(indexed: string, words: readonly Bm25Word[]): number {
    const framed = ` ${indexed.trim()} `;
    const length = timesIn(framed, ' ') - 1;
    let score = 0;
    for (const word of words) {
      const times = timesIn(framed, word.prefix ? ` ${word.term}` : ` ${word.term} `);
      if (times > 0) score += this.share(word, times, length);
    }
    return score;
  }
}

const k1 = 1.2;
const b = 0.75;

function timesIn(framed: string, sought: string): number {
  let times = 0;
  // The space at the end of one term is the one at the beginning of the next.
  const step = Math.max(1, sought.length - 1);
  for (let at = framed.indexOf(sought); at !== -1; at = framed.indexOf(sought, at + step)) times += 1;
  return times;
}
