/**
 * The embedded summariser: no model, no network, no clock; the same event always gives the same draft.
 * Extractive: it says what was run, touched, looked for or decided, in words that stand in the event itself, and in
 * one clause how that belongs with the session's earlier calls, where a check or an edit shows it. `subjectsOf` tells
 * what a call is about. Does not judge or conclude; does not read or write anything.
 * Time is linear in the size of the payload.
 */
export { answerFor, builtinBackend } from './backend.ts';
export { type Call, commandText, readCall } from './call.ts';
export { changesIn } from './change.ts';
export { draftSummary } from './draft.ts';
export { familyOf } from './family.ts';
export { withoutClause } from './neighbours.ts';
export { planStepsIn } from './plan.ts';
export { refusalReason } from './refusal.ts';
export { type Subject, subjectKey, subjectsOf } from './subjects.ts';
export { Plan, type PlanState, stateOf, taskOf } from './task.ts';
