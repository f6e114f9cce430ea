/**
 * BM25 (Robertson, Zaragoza 2009) as FTS5's bm25() has it with all columns alike, negated: higher is better
 * (https://www.sqlite.org/fts5.html#the_bm25_function). A row's score is the sum of its words' shares.
 */

/** What a word is worth that stands in `documents` of `rows` rows: ln((N - n + .5) / (n + .5)), and 1e-6 when that is not above 0. */
export function inverseFrequency(rows: number, documents: number): number {
  const idf = Math.log((rows - documents + 0.5) / (documents + 0.5));
  return idf <= 0 ? 1e-6 : idf;
}

/** What a word that stands `times` times in a row of `length` adds; rows are `usualLength` long, in the same unit. */
export function bm25Share(idf: number, times: number, length: number, usualLength: number): number {
  return (idf * times * (k1 + 1)) / (times + k1 * (1 - b + (b * length) / usualLength));
}

const k1 = 1.2;
const b = 0.75;
