/**
 * The write-ahead log: `wal.ndjson`, one event per line, each with a checksum.
 * Promises: an append that settles is on the disk; a damaged line does not affect its neighbours; the file is
 * emptied only when all of it is committed. Does not know where events are committed to.
 */
export { eraseLines, goneFromLog } from './erase-lines.ts';
export { type Report, replacedLogs } from './files.ts';
export { linesOf } from './lines.ts';
export { decodeRecord, encodeRecord } from './record.ts';
export { type Commit, replayLog } from './replay.ts';
export { WriteAheadLog } from './write-ahead-log.ts';
