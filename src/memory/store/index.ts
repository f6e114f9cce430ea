/**
 * The SQLite database: open, migrate, write, read.
 * What a call reports as stored is on the disk. An event is stored once, from any source and however often it arrives. Two
 * drainers never hold the same row. The store scores by words alone (BM25) and does not summarise.
 */

export { isBusy } from './busy.ts';
export { isMoved } from './moved.ts';
export { type ArchiveRow, allRows, hasOthers, memoriesAt, rowsOf } from './reads/archive-rows.ts';
export * from './reads/browse.ts';
export {
  BrowseSessions,
  type SessionCursor,
  type SessionRow as ListedSession,
} from './reads/browse-sessions.ts';
export type { CallPosition } from './reads/call-positions.ts';
export { detailsOf, timelineOf } from './reads/details.ts';
export type { SearchFilter, SummaryFilter } from './reads/filter.ts';
export { indexLag, lastCaptures, skipReasons } from './reads/health-reads.ts';
export type { Occurrences } from './reads/lexical-reads.ts';
export { mustBe, sessionNamed } from './reads/names.ts';
export { OutlineReads, type SessionRow } from './reads/outline-reads.ts';
export { notIndexed, passagesIn, saidIn } from './reads/passages.ts';
export * from './reads/recall-reads.ts';
export { type Content, SearchReads, secondShare } from './reads/search-reads.ts';
export * from './reads/session-events.ts';
export { memoriesOf, type RecordedSession, recordedSessions } from './reads/session-reads.ts';
export { type LaterRun, StateReads, type Stored } from './reads/state-reads.ts';
export type { Timeline } from './reads/timelines.ts';
export { damageFailure, isCorruption } from './repair/corruption.ts';
export { askedEvidence, emptyWal, type Trace, traceOf, traceOfEvent, withoutClause } from './repair/erase.ts';
export { eraseFromCopy } from './repair/erase-copy.ts';
export { damageOf } from './repair/integrity.ts';
export { type Prunable, prunable, removePruned } from './repair/prune.ts';
export type { Repaired } from './repair/repair.ts';
export { type RedactRows, scanTexts, scrubTexts, type TextRow, type TextTable } from './repair/scrub.ts';
export { type Origin, readOrigin } from './row.ts';
export { schemaVersion } from './schema/migrate.ts';
export { openStore, openStoreAside, openStoreReadOnly, readDatabase, type Store } from './store.ts';
export { type ImportedRows, type ImportOptions, importRows } from './sync/import-rows.ts';
export { type AuthorCounts, isAhead, type SyncAuthor, SyncAuthors } from './sync/sync-authors.ts';
export { takeSegment } from './sync/sync-incoming.ts';
export { SyncOutgoing, type SyncRow, type SyncSelf } from './sync/sync-outgoing.ts';
export { dropEvents, type Removal, removalsToDo, type SyncOrigin } from './sync/sync-removals.ts';
export type { CandidatePair, ClaimedPair } from './tables/candidate-pairs.ts';
export { helpersOf } from './tables/copies.ts';
export type { Digest, Kept, SessionEvent, StaleSession } from './tables/digests.ts';
export type { Edge } from './tables/edges.ts';
export { refusedVector, type Unembedded, type VectorRows } from './tables/embeddings.ts';
export type { Claimed, Refinable } from './tables/events.ts';
export { ForgottenTable } from './tables/forgotten.ts';
export { type Given, GivenTable, type Telling } from './tables/given.ts';
export { messageIn } from './tables/message-columns.ts';
export { payloadOf, shownPayload } from './tables/payload.ts';
export type { Prompt } from './tables/prompts.ts';
export { isShrunkPayload } from './tables/retention-payload.ts';
export type { Counts, Recorder } from './tables/stats.ts';
export type { Curable } from './tables/subjects.ts';
export type { NewSummary, Resummarise, Summary, SummaryWithTerms, Words } from './tables/summaries.ts';
export {
  setTranscriptPosition,
  type TranscriptPosition,
  transcriptPosition,
} from './tables/transcript-positions.ts';
export type { UsageRow } from './tables/usage.ts';
