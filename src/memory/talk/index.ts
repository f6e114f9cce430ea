/**
 * What a message says, in its own sentences and without a model: a user's request, an assistant's conclusion, decisions, and whether a
 * prompt only answers. Extractive: chooses whole sentences. Reads a bounded part of a message, in time linear in it.
 */
export { conclusionIn, isClaim, isCourtesy } from './conclusion.ts';
export { decisionsIn } from './decisions.ts';
export { nextStepsIn } from './next-steps.ts';
export { onlyAnswers } from './only-answers.ts';
export { requestIn } from './request.ts';
