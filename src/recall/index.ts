/**
 * What an assistant is told of earlier calls when it matters: a command has just failed that failed the same way before and was
 * fixed, or a file is about to be edited of which something is known.
 * Promises: silence unless there is something to do with it; at most two memories, once a session, within 150 tokens; fenced as
 * recorded data; reads only, each by an index. Uses no model, and knows nothing of what has no memory yet.
 */
export type { RecallRequest } from './asked.ts';
export { Recall } from './recall.ts';
