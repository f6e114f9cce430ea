/**
 * The SQLite database: open, migrate, write, read.
 * What a call reports as stored is on the disk. An event is stored once, from any source and however often it arrives. Two
 * drainers never hold the same row. The store scores by words alone (BM25) and does not summarise.
 */

export { type ArchiveRow, allRows, hasOthers, memoriesAt, rowsOf } from './archive-rows.ts';
export {
  Browse,
  type ListCursor,
  type Listed,
  type ListRequest,
  type Neighbourhood,
} from './browse.ts';
export { BrowseSessions, type SessionCursor, type SessionRow as ListedSession } from './browse-sessions.ts';
export { isBusy } from './busy.ts';
export type { CallPosition } from './call-positions.ts';
export type { CandidatePair, ClaimedPair } from './candidate-pairs.ts';
export { lastCaptures } from './client-reads.ts';
export { damageFailure, isCorruption } from './corruption.ts';
export { detailsOf, timelineOf } from './details.ts';
export type { Digest, DigestHit, Kept, SessionEvent, StaleSession } from './digests.ts';
export type { Edge } from './edges.ts';
export { refusedVector, type VectorRows } from './embeddings.ts';
export { askedEvidence, emptyWal, type Trace, traceOf, traceOfEvent, withoutClause } from './erase.ts';
export { eraseFromCopy } from './erase-copy.ts';
export type { Claimed, Refinable } from './events.ts';
export type { SearchFilter, SummaryFilter } from './filter.ts';
export { ForgottenTable } from './forgotten.ts';
export { type Given, type GivenRow, GivenTable, type Telling } from './given.ts';
export { type ImportedRows, type ImportOptions, importRows } from './import-rows.ts';
export { indexLag, repairIndex } from './index-lag.ts';
export { damageOf } from './integrity.ts';
export type { Occurrences } from './lexical-reads.ts';
export { messageIn } from './message-columns.ts';
export { schemaVersion } from './migrate.ts';
export { isMoved } from './moved.ts';
export { mustBeTool, sessionNamed } from './names.ts';
export { OutlineReads, type SessionRow } from './outline-reads.ts';
export { notIndexed, saidIn } from './passages.ts';
export { payloadOf, shownPayload } from './payload.ts';
export type { Prompt } from './prompts.ts';
export { type Prunable, type PruneReason, prunable, removePruned } from './prune.ts';
export { type RecalledCall, RecallReads, type SessionCall } from './recall-reads.ts';
export type { Repaired } from './repair.ts';
export type { RetentionCursor } from './retention.ts';

export { isShrunkPayload } from './retention-payload.ts';
export { type Origin, readOrigin } from './row.ts';
export { type RedactRows, scanTexts, scrubTexts, type TextRow, type TextTable } from './scrub.ts';
export { type Content, SearchReads, type SummaryWithTerms, secondShare } from './search-reads.ts';
export {
  promptBefore,
  type StepCursor,
  type StoredStep,
  stepAt,
  stepsAbout,
  stepsAfter,
} from './session-events.ts';
export { memoriesOf, type RecordedSession, recordedSessions } from './session-reads.ts';
export { skipReasons } from './skipped.ts';
export { type LaterRun, StateReads, type Stored } from './state-reads.ts';
export type { Counts, Recorder } from './stats.ts';
export { openStore, openStoreAside, openStoreReadOnly, type Store } from './store.ts';
export type { Curable } from './subjects.ts';
export type { NewSummary, Resummarise, Summary, Words } from './summaries.ts';
export { type AuthorCounts, isAhead, type SyncAuthor, SyncAuthors } from './sync-authors.ts';
export { type SyncTaken, takeSegment } from './sync-incoming.ts';
export { SyncOutgoing, type SyncRow, type SyncSelf } from './sync-outgoing.ts';
export { dropEvents, type Removal, removalsToDo, type SyncOrigin } from './sync-removals.ts';
export type { Timeline } from './timelines.ts';
export { type TranscriptPosition, TranscriptPositions } from './transcript-positions.ts';
export type { UsageRow } from './usage.ts';
