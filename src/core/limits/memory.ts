/** What is made of it: store, models, summaries, curation, digests, archive. */

// Store
export const busyTimeoutMs = 5_000;
// Of a connection that has waited for longer than that in vain, until it can write again.
export const blockedTimeoutMs = 250;
// A start waits for another program's lock; with one more wait of SQLite's it stays below `startTimeoutMs`.
export const startLockWaitMs = 8_000;
export const startLockPollMs = 250;
export const leaseMs = 120_000;
export const leaseSkewMs = 60_000;
export const integrityCheckBytesMax = 2 * 1024 * 1024 * 1024;
// At every start: 2 to 4 ms a MiB, with the lexical index.
export const startCheckBytesMax = 12 * 1024 * 1024;
export const databaseCheckDelayMs = 60_000;
export const databaseCheckLookMs = 60 * 60_000;
export const databaseCheckDueMs = 24 * 60 * 60_000;
export const databaseCheckTimeoutMs = 10 * 60_000;
export const salvageBatchKeys = 256;
// A damaged page is some hundred failed reads: its rows one by one, and the halves of the ranges around them.
export const salvageFailuresMin = 4_096;
export const salvageFailuresPerPage = 16;
export const salvageRowBytesMin = 16;

// Models
export const probeTimeoutMs = 1_000;
export const probeIntervalMs = 30_000;
export const summariseTimeoutMs = 120_000;
export const embedTimeoutMs = 30_000;
export const replyBytesMax = 8 * 1024 * 1024;
export const promptEventCharsMax = 4_000;
export const retriesMax = 3;
export const retryBaseMs = 500;
export const retryAfterMsMax = 60_000;
export const summaryCharsMax = 1_200;

// Builtin summariser (summarise/builtin)
export const builtinBatchMax = 64;
export const builtinTextChars = 400;
export const builtinTermsCharsMax = 1_000;
export const builtinTermCharsMax = 120;
export const builtinTermRepeatsMax = 3;
export const builtinLineCharsMax = 400;
export const builtinLinesMax = 4_000;
export const builtinDepthMax = 12;

// Model calls (model, summarise/local, summarise/hosted)
export const errorDetailCharsMax = 300;
export const probePatienceMs = 10_000;
export const summaryTermsCharsMax = 600;
export const summaryTokensMax = 220;
// The answer to a question that only finds out whether questions are taken.
export const checkTokensMax = 16;
export const localBatchMax = 8;
export const localPromptTokensMax = 5_600;
export const localContextTokens = 8_192;
export const hostedBatchMax = 16;
export const hostedPromptTokensMax = 32_000;
export const breakerBaseMs = 2_000;
export const ollamaEmbedBatchMax = 32;
export const embeddingDimensionMax = 8_192;

// Consolidation
export const embedBatchMax = 64;

// Doctor
export const scrubBatchRows = 128;
export const doctorReasonsMax = 3;
export const doctorReasonCharsMax = 160;
export const removedTextCharsMin = 6;
export const removedLineCharsMin = 12;
export const removedQuotedCharsMin = 40;
export const removedCarriedMax = 500;
export const rawChunkBytes = 1024 * 1024;
export const rawOverlapBytes = 64 * 1024;

// Subjects and neighbours (summarise/builtin)
export const subjectsMax = 24;
export const subjectNameCharsMax = 200;
export const testNameCharsMin = 4;
export const earlierCallsMax = 40;
export const earlierCharsMax = 512 * 1024;
export const earlierKeptCharsMax = 4 * 1024 * 1024;
export const neighbourCharsMax = 260;

// Curation (curate)
export const curatePassMax = 100_000;
export const curateBatchMax = 24;
export const curateNeighboursMax = 12;
export const curateCandidatesMax = 48;
export const curateFactsMax = 1_024;
export const curateLinesMax = 2_000;
export const curateBetweenMax = 24;
export const curateQuietMs = 15 * 60_000;
export const evidenceCharsMax = 400;

// Prompts and digests (clients, backfill, digest)
export const queuedPromptsMax = 256;
export const promptCharsMax = 2_000;
export const digestQuietMs = 10 * 60_000;
export const digestEventsMin = 3;
export const digestSessionsPerTickMax = 32;
export const digestPageEvents = 64;
export const digestCharsMax = 1_200;
export const digestTermsCharsMax = 1_500;
export const digestNamesMax = 2_000;
export const digestPromptsMax = 500;

// Refining what builtin wrote (consolidate)
export const refineRowsPerTickMax = 32;
export const refineBudgetShareMax = 0.5;

// Prune, forget, export, import (archive, store, log)
export const supersededDaysMin = 7;
export const restoreFileDaysMax = 30;
export const pruneExamplesMax = 3;
export const exampleCharsMax = 200;
export const archivePageRows = 128;
// What is stored of a call is 64,000 characters of JSON at most. A line is redacted at once: 300 us a KB.
export const archiveLineBytesMax = 2 * 1024 * 1024;
// Redacting a part takes 80 ms at most, and searches wait for it.
export const archivePartBytes = 256 * 1024;
export const archiveChunkBytes = 1024 * 1024;
export const archiveIdMax = 1_000_000_000;
export const badLinesShownMax = 20;
export const traceSampleChars = 64;
export const traceSampleEveryChars = 2_000;
export const traceCallIdCharsMin = 8;
export const logFrontMsMax = 5_000;
export const logGoneTimeoutMs = 15_000;
export const removalTimeoutMs = 600_000;
// Removed in about a second of one transaction (bench/prune.mjs).
export const pruneRowsMax = 10_000;
export const pruneIndexBytes = 64 * 1024 * 1024;

// Embedders (embed)
export const sessionBlockVectorsMax = 1_024;
export const embedderGraceMs = 24 * 60 * 60_000;
export const absenceStepMs = 10 * 60_000;
export const embedderLooksMin = 2;

// Asking a model about pairs (curate, store/doubts)
export const doubtsPerSummaryMax = 2;
export const doubtsWaitingMax = 2_000;
export const doubtAttemptsMax = 3;
export const doubtHeldMs = 240_000;
export const doubtTextCharsMax = 700;
export const askedPairsPassMax = 24;
export const askedPairsBatchMax = 4;
export const askPauseMsMax = 10 * 60_000;
export const verdictTokensMax = 120;
export const verdictReasonCharsMax = 240;
export const askBudgetShareMax = 0.25;
