/**
 * Takes captures: adapt, redact, cut, identify, log, acknowledge, commit.
 * Promises: nothing is written before it is redacted; nothing is acknowledged before it is on the disk; an
 * acknowledged call reaches the store once. Does not listen on a socket.
 */
export { Committer } from './committer.ts';
export { drainReplacedLogs, drainSpool } from './drain-spool.ts';
export { failedCommand } from './failed-command.ts';
export { Intake } from './intake.ts';
export { isPrivate, prepare, prepareText, storedId } from './prepare.ts';
export { droppedCount, spool } from './spool.ts';
export { CaptureThread } from './thread.ts';
