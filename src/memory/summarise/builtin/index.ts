/**
 * The embedded summariser: no model, no network, no clock; the same event always gives the same draft.
 * Extractive: it says what was run, changed, searched or decided in the words of the event. Reads and writes nothing. Time is linear in
 * the size of the payload.
 */
export { answerFor, builtinBackend } from './backend.ts';
export { draftSummary } from './draft.ts';
