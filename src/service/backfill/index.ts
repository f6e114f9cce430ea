/**
 * Transcripts that assistants left behind -> events and the user's prompts, in a thread of its own.
 * Promises: only sessions that were begun in the workspace, whatever lies beside them; bounded memory whatever a file's
 * size; a damaged line or file is counted and told, never fatal; a call that was captured live is not stored twice.
 */
export { backfill } from './backfill.ts';
export type { Source } from './messages.ts';
export { transcriptsOf } from './sources.ts';
