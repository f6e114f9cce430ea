/**
 * The embedded summariser: no model, no network, no clock; the same event always gives the same draft.
 * Extractive: it says what was run, touched, looked for or decided, in words that stand in the event itself,
 * and never more than that. Does not judge, conclude or combine events; does not read or write anything.
 * Time is linear in the size of the payload.
 */
export { builtinBackend } from './backend.ts';
export { type Call, readCall } from './call.ts';
export { changesIn, type FileChange } from './change.ts';
export { draftSummary } from './draft.ts';
export { type Family, familyOf } from './family.ts';
export { type Subject, subjectKey, subjectsOf } from './subjects.ts';
