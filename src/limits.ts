/**
 * Every bound of the product, in one place, with its unit last. A limit that a user can move is in
 * `config/keys.ts` instead; these are the ones nobody should need to.
 */

// Socket
export const frameBytesMax = 16 * 1024 * 1024;
export const frameDepthMax = 200;
export const frameValuesMax = 200_000;
export const frameStartedTimeoutMs = 10_000;
export const refusedLingerMs = 1_000;
export const finishLingerMs = 2_000;
export const connectionsMax = 256;
export const connectionReplyBytesMax = 32 * 1024 * 1024;
export const connectionRequestsQueuedMax = 256;

// Waiting for the daemon
export const pingTimeoutMs = 1_500;
export const startTimeoutMs = 20_000;
export const stopTimeoutMs = 10_000;
export const killTimeoutMs = 3_000;
export const requestTimeoutMs = 30_000;
export const pollIntervalMs = 25;

// Capture
export const captureQueueMax = 2_048;
export const captureQueueBytesMax = 64 * 1024 * 1024;
export const textCharsMax = 24_000;
export const payloadCharsMax = 64_000;
export const toolNameCharsMax = 200;
export const idCharsMax = 512;

// Log
export const logBytesMax = 64 * 1024 * 1024;
export const logBatchBytesMax = 4 * 1024 * 1024;
export const logCommittedBytesMax = 16 * 1024 * 1024;
export const logEmptyDelayMs = 100;
export const commitBatchMax = 256;
export const commitRetryMs = 1_000;
export const commitDelayMs = 10;

// Store
export const busyTimeoutMs = 5_000;
export const leaseMs = 120_000;
export const integrityCheckBytesMax = 2 * 1024 * 1024 * 1024;
export const salvageBatchKeys = 256;
export const salvageKeysMax = 5_000_000;

// Search
export const queryCharsMax = 10_000;
export const legDepth = 200;
export const topKMax = 200;
export const recentMax = 500;
export const timelineWindowMax = 100;
export const graphDepthMax = 5;
export const graphNodesMax = 500;

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

// Backfill
export const transcriptLineBytesMax = 32 * 1024 * 1024;
export const transcriptDocumentBytesMax = 64 * 1024 * 1024;
export const pendingCallsMax = 5_000;
export const backfillBatchMax = 128;

// Daemon's log file
export const daemonLogBytesMax = 5 * 1024 * 1024;
export const daemonLogFilesMax = 3;

// Event loop
export const loopDelayWarnMs = 50;
export const loopDelaySampleMs = 20;
export const loopDelayCheckMs = 10_000;

// Background
export const idleCheckMs = 15_000;
export const homeCheckMs = 5_000;
export const backendStateWaitMs = 500;
export const subscribeIntervalMs = 1_000;
export const subscribeRepeatMs = 5_000;

// Builtin summariser (summarise/builtin)
export const builtinBatchMax = 64;
export const builtinTextChars = 400;
export const builtinTermsCharsMax = 1_000;
export const builtinTermCharsMax = 120;
export const builtinTermRepeatsMax = 3;
export const builtinLineCharsMax = 400;
export const builtinLinesMax = 4_000;
export const builtinDepthMax = 12;

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

// Clients
export const payloadDepthMax = 150;
export const pendingCallBytesMax = 64 * 1024 * 1024;

// Model calls (model, summarise/local, summarise/hosted)
export const errorDetailCharsMax = 300;
export const probePatienceMs = 10_000;
export const summaryTermsCharsMax = 600;
export const summaryTokensMax = 220;
export const localBatchMax = 8;
export const localPromptTokensMax = 5_600;
export const localContextTokens = 8_192;
export const hostedBatchMax = 16;
export const hostedPromptTokensMax = 32_000;
export const breakerBaseMs = 2_000;
export const ollamaEmbedBatchMax = 32;
export const embeddingDimensionMax = 8_192;

// Redaction
export const redactPassesMax = 6;
export const redactNameCharsMax = 96;
export const redactValueCharsMax = 8_192;
export const redactJudgedCharsMax = 128;
export const redactJudgedPerRunMax = 64;
export const redactTailCharsMax = 8_192;
export const redactBlockCharsMax = 64 * 1024;

// Consolidation
export const embedBatchMax = 64;

// Commands
export const backfillTimeoutMs = 600_000;
export const logPollMs = 200;

// Spool
export const spoolBytesMax = 8 * 1024 * 1024;
export const spoolTextCharsMax = 256 * 1024;
export const spoolReserveMs = 110;
export const stdinPatienceMs = 120;
export const hookSettingsDelayMs = 10;

// Large frames (rpc, capture/thread)
export const frameInlineBytesMax = 128 * 1024;
export const largeFramesBytesMax = 64 * 1024 * 1024;
export const largeRidCharsMax = 4_096;
// To redact what is full of secrets, or of short texts, takes 300 us a KB and 4 us a value: 10 ms at most.
export const captureInlineBytesMax = 32 * 1024;
export const captureInlineValuesMax = 1_000;
export const turnWorkMs = 10;
export const captureThreadQueueMax = 128;
export const captureThreadIdleMs = 30_000;
export const captureThreadFrameMs = 30_000;
export const captureThreadHeapMiB = 512;
export const pathCharsMax = 4_096;

// Liveness (capture)
export const livenessGapMs = 10 * 60_000;
export const livenessShownMs = 60 * 60_000;
export const livenessCallsMin = 3;
export const livenessSessionsMax = 256;

// Doctor
export const scrubBatchRows = 128;
export const doctorReasonsMax = 3;
export const doctorReasonCharsMax = 160;
export const removedTextCharsMin = 6;
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
export const pruneIndexBytes = 64 * 1024 * 1024;

// Embedders (embed)
export const sessionBlockVectorsMax = 1_024;
export const embedderGraceMs = 24 * 60 * 60_000;
export const absenceStepMs = 10 * 60_000;
export const embedderLooksMin = 2;
export const weightsBytesMax = 1024 * 1024 * 1024;
export const tokenizerBytesMax = 64 * 1024 * 1024;
export const modelConfigBytesMax = 1024 * 1024;
export const safetensorsHeaderBytesMax = 16 * 1024 * 1024;
export const modelTokensMax = 512;
export const modelTextCharsMax = 16_384;
export const modelThreadHeapMiB = 1_024;
export const modelThreadIdleMs = 10 * 60_000;
export const modelLoadTimeoutMs = 60_000;
export const tokenCharsMax = 100;

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

// Vector scan (embed/scan)
export const scanChunkRows = 4_096;
// Beyond what is asked for, and below the least similarity: what packing may have cost its place.
export const rescoredBeyond = 56;
export const rescoreSlack = 0.01;
export const vectorIdRange = 65_536;
