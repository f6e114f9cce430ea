/**
 * Bounds that protect the process, that users may meet, or that several files share. Each name ends with its unit.
 * What a user may set is in `config/keys.ts`; a bound of one file is in that file.
 */

// Boundary
export const scopeBytesMax = 1024 * 1024;
export const boundaryLookMs = 300;
export const boundaryBudgetMs = 1_500;
export const shellStepsMax = 20_000;
export const shellDepthMax = 24;
export const shellWordsMax = 10_000;
export const shellAlternativesMax = 1_024;
// The parser's time grows with the square of how deep substitutions are nested: 5,000 take some 40 ms.
export const shellSubstitutionsMax = 5_000;
export const shellFoldersMax = 4;
// Words after expansion, and the paths in them, of all commands of a line together.
export const shellPiecesMax = 50_000;
// The longest argument on Linux (MAX_ARG_STRLEN, execve(2)).
export const shellWordCharsMax = 128 * 1024;
// All texts that a line runs (`sh -c`, `eval`) together.
export const shellTextCharsMax = 1024 * 1024;
export const shellLinksMax = 256;

// Bridge
export const bridgeConnectionsMax = 64;
export const bridgeRequestMs = 30_000;
export const bridgeHeaderBytesMax = 16 * 1024;
export const bridgeBodyBytesMax = 1024 * 1024;
export const bridgeCodeMs = 60_000;
// What an address of the page has behind its `#`, or nothing: no sign that HTML, a script or a shell reads.
export const bridgePlace = /^(?:\/[\w/?=&%+*.~-]{0,4000})?$/;

// Commands
export const helpColumns = 80;

// Doctor
// Embeddings this far behind summaries, payloads this long on the average, and a young database this large.
export const embeddingLagMax = 100;
export const payloadCharsAverageMax = 50_000;
// The time for a model, and for the daemon, to answer.
export const doctorReachMs = 2_000;
// Of the spool's room, what counts as nearly full.
export const spoolFullShare = 0.9;

// Search
export const queryCharsMax = 10_000;
export const legDepth = 200;
export const topKMax = 200;

// Terms
export const indexCharsMax = 64_000;

export const vectorBatchMax = 1_000;

// Install
// Claude Code keeps the history of all projects in the file that holds its servers.
export const configBytesMax = 64 * 1024 * 1024;

// Socket
export const frameBytesMax = 16 * 1024 * 1024;
export const frameDepthMax = 200;
export const frameValuesMax = 200_000;
export const refusedLingerMs = 1_000;
export const connectionsMax = 256;

// Waiting for the daemon
export const pingTimeoutMs = 1_500;
export const startTimeoutMs = 20_000;
export const stopTimeoutMs = 10_000;
export const requestTimeoutMs = 30_000;
export const pollIntervalMs = 25;

export const textCharsMax = 24_000;
export const payloadCharsMax = 64_000;
export const toolNameCharsMax = 200;
export const idCharsMax = 512;

export const logCommittedBytesMax = 16 * 1024 * 1024;
export const commitBatchMax = 256;

// Backfill
export const transcriptLineBytesMax = 32 * 1024 * 1024;
export const transcriptDocumentBytesMax = 64 * 1024 * 1024;
export const pendingCallsMax = 5_000;

// Daemon's log file
export const daemonLogBytesMax = 5 * 1024 * 1024;
export const daemonLogFilesMax = 3;

// Background
export const homeCheckMs = 5_000;

// Clients
export const payloadDepthMax = 150;
export const pendingCallBytesMax = 64 * 1024 * 1024;

// Redaction
export const redactPassesMax = 6;
export const redactNameCharsMax = 96;
export const redactJudgedCharsMax = 128;
export const redactJudgedPerRunMax = 64;
export const redactHeaderCharsMax = 400;
export const redactBlockCharsMax = 64 * 1024;

// Commands
export const focusCharsMax = 2_000;
export const backfillTimeoutMs = 600_000;

// Spool
export const spoolBytesMax = 8 * 1024 * 1024;
export const spoolReserveMs = 110;
export const stdinPatienceMs = 120;
// What a hook reads. More than a frame may hold is cut before it is stored.
export const hookInputBytesMax = 128 * 1024 * 1024;
export const hookSettingsDelayMs = 10;

// Large frames
export const frameInlineBytesMax = 128 * 1024;
export const largeFramesBytesMax = 64 * 1024 * 1024;
export const largeRidCharsMax = 4_096;
export const largeFieldValuesMax = 2_000;
// To redact what is full of secrets, or of short texts, takes 300 us a KB and 4 us a value: 10 ms at most.
export const captureInlineBytesMax = 32 * 1024;
export const captureThreadQueueMax = 128;
export const pathCharsMax = 4_096;

// Mcp
export const mcpLineBytesMax = 1024 * 1024;
export const mcpRequestsMax = 32;
export const mcpHitsMax = 50;
export const mcpIdsMax = 20;
export const mcpWindowMax = 20;
export const mcpIndexCharsMax = 160;
export const mcpPayloadCharsMax = 16_000;
export const mcpEdgesCharsMax = 8_000;
export const mcpTermsMax = 24;
export const mcpWordsCharsMax = 2_000;
export const mcpAnswerCharsMax = 24_000;
export const mcpGetCharsMax = 40_000;
export const mcpLogCharsMax = 300;

// Store
export const busyTimeoutMs = 5_000;
export const leaseMs = 120_000;
export const leaseSkewMs = 60_000;
export const integrityCheckBytesMax = 2 * 1024 * 1024 * 1024;
// At every start: 2 to 4 ms a MiB, with the lexical index.
export const startCheckBytesMax = 12 * 1024 * 1024;
export const salvageBatchKeys = 256;
// A damaged page is some hundred failed reads: its rows one by one, and the halves of the ranges around them.
export const salvageFailuresMin = 4_096;
export const salvageFailuresPerPage = 16;
// More rows than these are on few pages: a row has some 60 bytes at the least.
export const salvageLooksPerPage = 64;
export const salvageRowBytesMin = 16;

// Models
// A local runtime on a busy machine takes more than a second.
export const probeTimeoutMs = 3_000;
export const probeIntervalMs = 30_000;
export const summariseTimeoutMs = 120_000;
export const promptEventCharsMax = 4_000;
export const retriesMax = 3;
export const retryAfterMsMax = 60_000;
export const summaryCharsMax = 1_200;

// Builtin summariser
export const builtinTextChars = 400;
export const messageSummaryChars = 600;
export const builtinDepthMax = 12;

// Model calls
export const summaryTokensMax = 220;
export const localPromptTokensMax = 5_600;
export const hostedPromptTokensMax = 32_000;

// Calls
export const subjectsMax = 24;

// Curation
export const curateQuietMs = 15 * 60_000;
export const evidenceCharsMax = 400;

// Digests
export const digestNamesMax = 2_000;

// Archive
export const supersededDaysMin = 7;
export const restoreFileDaysMax = 30;
export const archivePageRows = 128;
// What is stored of a call is 64,000 characters of JSON at most. A line is redacted at once: 300 us a KB.
export const archiveLineBytesMax = 2 * 1024 * 1024;
// Redacting a part takes 80 ms at most, and searches wait for it.
export const archivePartBytes = 256 * 1024;
export const archiveChunkBytes = 1024 * 1024;
export const logFrontMsMax = 5_000;
export const removalTimeoutMs = 600_000;

// Embedders
export const sessionBlockVectorsMax = 1_024;

// Monitor, as in section 8 of the specification
export const monitorIntervalMs = 30_000;
// health.ndjson: a line takes some 90 bytes, so that a file holds two weeks of one monitor. One older file is kept.
export const healthBytesMax = 4 * 1024 * 1024;
export const alertRawMaxDefault = 500;
export const alertRawMs = 10 * 60_000;

// Session start
// Ending a daemon that hangs and starting another takes 8 s; the client waits 5 s longer than the hook (plugin/hooks/hooks.json).
export const sessionStartBudgetMs = 15_000;
export const sessionStartLineCharsMax = 600;
export const restartClaimMs = 20_000;
export const outlineCharsMax = 9_500;

// Recall
export const recallBytesMax = 600;
/** In the workspace's folder: what the user's rules are said at. */
export const ruleFileName = 'rules.json';

// Retention
export const retentionRestShare = 4;
