/**
 * Transcripts of assistants -> events and the user's prompts, in a thread of its own.
 * Promises: only sessions that started in the workspace; bounded memory for any file size; a damaged line or file is counted and reported,
 * never fatal; a call that was captured live is not stored twice.
 */
export { backfill } from './backfill.ts';
export { transcriptFollower } from './follower.ts';
export type { Source } from './messages.ts';
export { transcriptsOf } from './sources.ts';
