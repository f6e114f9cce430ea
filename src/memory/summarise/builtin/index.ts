/**
 * The embedded summariser: no model, no network, no clock; the same event always gives the same draft.
 * Extractive: it says what was run, touched, looked for or decided, in words that stand in the event itself, and in
 * one clause how that belongs with the session's earlier calls, where a check or an edit shows it. Does not judge or
 * conclude; does not read or write anything.
 * Time is linear in the size of the payload.
 */
export { answerFor, builtinBackend } from './backend.ts';
export { draftSummary } from './draft.ts';
export { withoutClause } from './neighbours.ts';
