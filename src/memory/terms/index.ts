/**
 * Text -> terms, for the full-text index, the deterministic embedder and the explanation of a hit.
 * Promises: what `indexText` put into a table made with `ftsTokenize` is found by `matchExpression` of the
 * same words, whole and in parts; no query can make FTS5 fail; the same text gives the same terms anywhere.
 * Does not touch the database: what BM25 needs to know of it comes as numbers.
 */
export { bm25Share, inverseFrequency } from './bm25.ts';
export { indexTerms, indexText } from './index-text.ts';
export { type AskedWord, matchExpression, mostTelling, type QueryTerm, queryTerms } from './query.ts';
export { stem } from './stem.ts';
export { isStopWord } from './stop-words.ts';
export { ftsTokenize } from './tokenizer.ts';
