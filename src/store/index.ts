/**
 * The SQLite database: open, migrate, write, read.
 * Promises: what a call reports as stored is on the disk; an event is stored once, whoever tells it how often;
 * two drainers never hold the same row. Does not rank and does not summarise.
 */
export { isCorruption } from './corruption.ts';
export type { Counts, SessionRow, UsageRow } from './counts.ts';
export type { Edge } from './edges.ts';
export type { NewEmbedding, StoredVector, Unembedded } from './embeddings.ts';
export { type Claimed, type Inserted, payloadOf } from './events.ts';
export type { Mended } from './mend.ts';
export { schemaVersion } from './migrate.ts';
export { type Cleanse, type Place, scanTexts, scrubTexts, type TextRow } from './scrub.ts';
export { type ColumnWeights, SearchReads } from './search-reads.ts';
export { type SkipReason, skipReasons } from './skipped.ts';
export { type OpenOptions, openStore, openStoreReadOnly, type Store } from './store.ts';
export type { NewSummary, Summary, SummaryFilter } from './summaries.ts';
