/**
 * BM25 (Robertson, Zaragoza 2009) as in FTS5's bm25() with equal column weights, negated: higher is better
 * (https://www.sqlite.org/fts5.html#the_bm25_function). The score of a row is the sum over its words.
 */

/** The inverse document frequency of a word in `documents` of `rows` rows: ln((N - n + .5) / (n + .5)), at least 1e-6. */
export function inverseFrequency(rows: number, documents: number): number {
  const idf = Math.log((rows - documents + 0.5) / (documents + 0.5));
  return idf <= 0 ? 1e-6 : idf;
}

/** The score of a word that occurs `times` times in a row of `length`; `usualLength` is the mean, in the same unit; `b` is its effect. */
export function bm25Share(
  idf: number,
  times: number,
  length: number,
  usualLength: number,
  b = usualB,
): number {
  return (idf * times * (k1 + 1)) / (times + k1 * (1 - b + (b * length) / usualLength));
}

const k1 = 1.2;
const usualB = 0.75;
