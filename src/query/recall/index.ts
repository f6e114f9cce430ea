/**
 * Recall: a command has just failed the way an earlier one did, and the earlier failure was fixed. The assistant gets the fix.
 * Promises: silence unless there is something to do with it; at most two memories, once a session, within 150 tokens; fenced as
 * recorded data; reads only, each by an index. Uses no model, and knows nothing of what has no memory yet.
 */
export type { RecallRequest } from './asked.ts';
export { Recall } from './recall.ts';
