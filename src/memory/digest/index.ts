/**
 * What a session was about -> one account of at most eight lines: what the user asked for, what was changed, committed and
 * decided, what failed and whether it was mended, how it ended.
 * Promises: extractive (every name and number stands in the session's own calls and prompts), deterministic for a given
 * store, linear in the size of a session; made anew when the session has gone on. Uses no model and judges nothing.
 */
export { Digester } from './digester.ts';
