/**
 * The embedded summariser: no model, no network, no clock; the same event always gives the same draft.
 * Extractive: it says what was run, changed, searched or decided in the words of the event, and adds one clause that relates a
 * check or an edit to the session's earlier calls. Reads and writes nothing. Time is linear in the size of the payload.
 */
export { answerFor, builtinBackend } from './backend.ts';
export { draftSummary } from './draft.ts';
export { withoutClause } from './neighbours.ts';
