/**
 * Every bound of the product, in one place, with its unit last. A limit that a user can move is in
 * `config/keys.ts` instead; these are the ones nobody should need to.
 */
export * from './limits/boundary.ts';
export * from './limits/bridge.ts';
export * from './limits/finding.ts';
export * from './limits/intake.ts';
export * from './limits/memory.ts';

// Words that many summaries hold (store/lexical-reads)
export const lexicalScoredMax = 8_000;
export const lexicalVisitedMax = 20_000;
export const lexicalVisitedShare = 0.1;
export const knownTermsMax = 10_000;
export const wordCountBatchMax = 20_000;
export const wordCountPageIds = 4_096;
