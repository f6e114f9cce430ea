/** What comes in: socket, capture, log, spool, redaction, the clients and their transcripts. */

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
// How long a process may take until it runs our code: 0.1 s, and seconds on a machine that is short of everything. Below
// `sessionStartBudgetMs`, so that what hangs is ended before that hook gives up.
export const beginTimeoutMs = 12_000;
export const stopTimeoutMs = 10_000;
// Those who only look whether a workspace is held are done with it within that.
export const lockWaitMs = 100;
// How long a start waits for the running daemon's version, to replace an older one.
export const versionWaitMs = 5_000;
export const killTimeoutMs = 3_000;
export const requestTimeoutMs = 30_000;
export const pollIntervalMs = 25;

// Capture
export const captureQueueMax = 2_048;
export const textCharsMax = 24_000;
export const payloadCharsMax = 64_000;
export const toolNameCharsMax = 200;
export const idCharsMax = 512;

// Log
export const logBytesMax = 64 * 1024 * 1024;
export const logBatchBytesMax = 4 * 1024 * 1024;
export const logCommittedBytesMax = 16 * 1024 * 1024;
export const logEmptyDelayMs = 100;
// While lines wait for their commit; and so often a new file is made for one that somebody takes away.
export const logLookMs = 1_000;
export const logMovesMax = 3;
export const commitBatchMax = 256;
export const commitRetryMs = 1_000;
export const commitDelayMs = 10;

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
// A daemon whose socket was removed has made a new one by then.
export const lostSocketMs = 6_500;
export const programGoneLooks = 2;
export const backendStateWaitMs = 500;
export const subscribeIntervalMs = 1_000;
export const subscribeRepeatMs = 5_000;

// Clients
export const payloadDepthMax = 150;
export const pendingCallBytesMax = 64 * 1024 * 1024;

// Redaction
export const redactPassesMax = 6;
export const redactNameCharsMax = 96;
export const redactNamesKeptMax = 500;
export const redactValueCharsMax = 8_192;
export const redactJudgedCharsMax = 128;
export const redactJudgedPerRunMax = 64;
export const redactTokenJudgedCharsMax = 512;
export const redactListItemsMax = 64;
export const redactDirectiveCharsMax = 80;
export const redactHeaderCharsMax = 400;
export const redactJwkCharsMax = 16 * 1024;
export const redactTailCharsMax = 8_192;
export const redactBlockCharsMax = 64 * 1024;

// Commands
export const focusCharsMax = 2_000;
export const backfillTimeoutMs = 600_000;
export const logPollMs = 200;

// Spool
export const spoolBytesMax = 8 * 1024 * 1024;
export const spoolTextCharsMax = 48 * 1024;
export const spoolValuesMax = 20_000;
// Of the hook's budget; starting and writing take the rest.
export const spoolRedactShare = 0.4;
export const spoolReserveMs = 110;
export const spoolGraceMs = 1_000;
export const stdinPatienceMs = 120;
export const hookSettingsDelayMs = 10;

// Large frames (rpc, capture/thread)
export const frameInlineBytesMax = 128 * 1024;
export const largeFramesBytesMax = 64 * 1024 * 1024;
export const largeRidCharsMax = 4_096;
export const largeFieldValuesMax = 2_000;
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
