/**
 * The write-ahead log: `wal.ndjson`, one event a line, each with a checksum.
 * Promises: an append that settles is on the disk; a torn or damaged line never takes its neighbours with
 * it; the file is emptied only when all in it is committed. Does not know where events are committed to.
 */
export { eraseLines, goneFromLog } from './erase-lines.ts';
export { replacedLogs } from './files.ts';
export { decodeRecord, encodeRecord } from './record.ts';
export { type Commit, replayLog } from './replay.ts';
export { WriteAheadLog } from './write-ahead-log.ts';
