import { bm25Share, inverseFrequency } from '#reading/terms';
import type { Connection } from '../connection.ts';
import { blob, text, variableNumbers } from '../row.ts';

/** FTS5's bm25() over the lexical index, both columns alike, negated: higher is better. */
export class Bm25 {
  /** The number of rows in the index. */
  readonly rows: number;
  /** The mean number of terms in a row. */
  readonly usual: number;

  constructor(rows: number, terms: number) {
    this.rows = rows;
    this.usual = terms / Math.max(1, rows);
  }

  /** From the index's record of its rows and of the terms in each column (id 1 of `%_data`). */
  static of(connection: Connection): Bm25 {
    const row = connection.get('SELECT block FROM summaries_fts_data WHERE id = 1') ?? {};
    const [rows = 0, ...terms] = variableNumbers(blob(row, 'block'));
    return new Bm25(
      rows,
      terms.reduce((sum, one) => sum + one, 0),
    );
  }

  /** The inverse document frequency of a word in `documents` rows. */
  idf(documents: number): number {
    return inverseFrequency(this.rows, documents);
  }

  /** The score of a word that occurs `times` times among `length` terms. */
  share(idf: number, times: number, length: number): number {
    return bm25Share(idf, times, length, this.usual);
  }

  /** The score of a row of `length` terms in which each word occurs `counts` times. */
  score(counts: readonly number[], length: number, idfs: readonly number[]): number {
    let score = 0;
    for (let at = 0; at < counts.length; at++) {
      const times = counts[at] ?? 0;
      if (times > 0) score += this.share(idfs[at] ?? 0, times, length);
    }
    return score;
  }
}

/** Changes with every write to the index, which changes its record of rows (id 1 of `%_data`) or of segments (id 10). */
export function indexState(connection: Connection): string {
  const sql =
    "SELECT coalesce(group_concat(hex(block)), '') AS state FROM summaries_fts_data WHERE id IN (1, 10)";
  return text(connection.get(sql) ?? {}, 'state');
}

/** How often a word occurs in an indexed text: terms separated by one space, with a space at both ends. */
export function timesIn(framed: string, word: { readonly term: string; readonly prefix: boolean }): number {
  const sought = word.prefix ? ` ${word.term}` : ` ${word.term} `;
  let times = 0;
  // The space at the end of one term is the one at the beginning of the next.
  const step = Math.max(1, sought.length - 1);
  for (let at = framed.indexOf(sought); at !== -1; at = framed.indexOf(sought, at + step)) times += 1;
  return times;
}
