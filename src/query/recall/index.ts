/**
 * Recall: a command failed as an earlier one did, and the earlier failure was fixed. The assistant gets the fix.
 * Recall is silent unless it has a fix. It gives at most two memories, once per session, within 150 tokens, fenced as
 * recorded data. The user's rules go through the same gate. It only reads, by indexes, and uses no model.
 */
export type { RecallRequest } from './asked.ts';
export { Recall } from './recall.ts';
export { type Suggestion, suggestRules } from './suggest.ts';
export { withStates } from './text.ts';
