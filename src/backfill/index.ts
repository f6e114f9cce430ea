/**
 * Transcripts that assistants left behind -> events and the user's prompts, in a thread of its own.
 * Promises: bounded memory whatever a file's size; a damaged line or file is counted and told, never fatal; a
 * call that was captured live is not stored twice. Does not find out which folder is meant.
 */
export { type BackfillThreadOptions, backfill } from './backfill.ts';
export type { BackfillProgress, BackfillResult } from './run.ts';
