/**
 * Splits text into terms, for the full-text index, the deterministic embedder and the explanation of a hit.
 * `matchExpression` finds what `indexText` wrote into a table with `ftsTokenize`, whole words and their parts. No query can make
 * FTS5 fail. This room does not access the database.
 */
export { bm25Share, inverseFrequency } from './bm25.ts';
export { indexTerms, indexText } from './index-text.ts';
export { marked, type Wanted, wantedOf } from './marked.ts';
export { passagesOf } from './passages.ts';
export { type AskedWord, matchExpression, mostTelling, type QueryTerm, queryTerms } from './query.ts';
export { stem } from './stem.ts';
export { isStopWord, isStopWordInTalk } from './stop-words.ts';
export { ftsTokenize } from './tokenizer.ts';
