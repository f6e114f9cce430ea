import { bm25Share, inverseFrequency } from '../terms/index.ts';
import type { Connection } from './connection.ts';
import { blob, text, variableNumbers } from './row.ts';

/** FTS5's bm25() over the lexical index, both columns alike, negated: higher is better. */
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

  /** What a word is worth that stands in `documents` rows. */
  idf(documents: number): number {
    return inverseFrequency(this.rows, documents);
  }

  /** What a word that stands `times` times among `length` terms adds. */
  share(idf: number, times: number, length: number): number {
    return bm25Share(idf, times, length, this.#usual);
  }

  /** Of a row among whose `length` terms each word stands as often as `counts` says. */
  score(counts: readonly number[], length: number, idfs: readonly number[]): number {
    let score = 0;
    for (let at = 0; at < counts.length; at++) {
      const times = counts[at] ?? 0;
      if (times > 0) score += this.share(idfs[at] ?? 0, times, length);
    }
    return score;
  }
}

/** Another text after any write to the index: each changes its record of its rows (id 1 of `%_data`) or its list of segments (id 10). */
export function indexState(connection: Connection): string {
  const sql =
    "SELECT coalesce(group_concat(hex(block)), '') AS state FROM summaries_fts_data WHERE id IN (1, 10)";
  return text(connection.get(sql) ?? {}, 'state');
}

/** How often a word stands in a text as the index holds it, terms with one space between, with a space at both ends. */
export function timesIn(framed: string, word: { readonly term: string; readonly prefix: boolean }): number {
  const sought = word.prefix ? ` ${word.term}` : ` ${word.term} `;
  let times = 0;
  // The space at the end of one term is the one at the beginning of the next.
  const step = Math.max(1, sought.length - 1);
  for (let at = framed.indexOf(sought); at !== -1; at = framed.indexOf(sought, at + step)) times += 1;
  return times;
}
