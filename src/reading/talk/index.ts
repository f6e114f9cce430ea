/**
 * What a message says, in its own sentences and without a model: a user's request, an assistant's conclusion, decisions, whether a
 * prompt only answers, and the part that answers a query. Extractive: chooses whole sentences. Reads a bounded part of a message, in time linear in it.
 */
export { asksFor, asksIn, isRemark, isShortRequest, onlyStates, wordsIn } from './asks.ts';
export { closingQuestion } from './closing-question.ts';
export { isCompaction } from './compaction.ts';
export { conclusionIn, isClaim, isCourtesy, outcomeIn } from './conclusion.ts';
export * from './decisions.ts';
export { type Asked, askedWords, type Excerpt, excerpts, passageIn } from './excerpt.ts';
export { withoutLineMarks } from './line-marks.ts';
export { manualChecksIn } from './manual-checks.ts';
export { nextStepsIn } from './next-steps.ts';
export { onlyAnswers } from './only-answers.ts';
export { reportIn } from './report.ts';
export { requestIn } from './request.ts';
export { leadOf, noteLead, withoutLead } from './speaker.ts';
export { spokenIn } from './spoken.ts';
export { reportMark } from './units.ts';
export { wishIn } from './wish.ts';
