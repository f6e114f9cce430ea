/**
 * A tool call's way in: adapt, redact, cut, identify, log, acknowledge, commit.
 * Promises: nothing is written before it is redacted; nothing is acknowledged before it is on the disk; what
 * was acknowledged reaches the store once. Does not listen on anything.
 */
export { Committer, type CommitterOptions, type Report } from './committer.ts';
export { type CaptureCounters, Intake, type IntakeOptions } from './intake.ts';
export { prepare, prepareText } from './prepare.ts';
export { type Spooled, spool } from './spool.ts';
export { type TakenIn, takeInSpool } from './take-in.ts';
export { CaptureThread, type CaptureThreadOptions } from './thread.ts';
