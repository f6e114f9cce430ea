/**
 * Sessions as a person reads them: their prompts, replies and calls in order, a line each; what they changed in a file altogether; and
 * all that happened to a file in any session.
 * Reads stored events only, also those without a summary. Every answer has a bounded size.
 */
export { type FileHistory, type FileStep, fileHistory } from './file-history.ts';
export { type SessionDiff, sessionDiff } from './session-diff.ts';
export { type Step, type StepFile, stepOf } from './step.ts';
export { headOf, stepDetail, stepsOf } from './steps.ts';
