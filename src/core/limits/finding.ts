/** How it is found: terms, vectors, ranking. */

// Search
export const queryCharsMax = 10_000;
export const legDepth = 200;
export const topKMax = 200;
export const recentMax = 500;
export const timelineWindowMax = 100;
export const graphDepthMax = 5;
export const graphNodesMax = 500;

// Terms
export const indexCharsMax = 64_000;
export const termCharsMax = 256;
export const queryTermsMax = 128;

// Ranking
export const lexicalTermsMax = 48;
export const commonTermSummariesMin = 1_000;
export const supersessionDepthMax = 32;
export const vectorBatchMax = 1_000;
export const queryEmbedTimeoutMs = 2_000;
export const embedderTrialTimeoutMs = 15_000;

// Vector scan (embed/scan)
export const scanChunkRows = 4_096;
export const vectorIdRange = 65_536;
export const engineYoungHeapMiB = 24;

// Words that many summaries hold (store/lexical-reads)
export const lexicalSpare = 50;
export const lexicalPrefixTermsMax = 200;
export const lexicalVisitedMax = 40_000;
export const lexicalVisitedShare = 0.1;
export const knownTermsMax = 10_000;
export const knownCallsMax = 10_000;
export const wordCountBatchMax = 20_000;
export const wordCountPageIds = 4_096;
