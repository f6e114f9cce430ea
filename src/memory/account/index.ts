/**
 * How a session went, as one value: goal, requests, outcome, commits, decisions, checks, files, what is left, each with the event that it
 * comes from. It is folded from the events of the session and stored with its digest; digest, outline, handoff, page and commands print
 * it. Every name and number is in the events. The same events give the same account, in time linear in them. Uses no model, and asks
 * nothing but the events: what git says of it now is asked when it is shown.
 */
export {
  type ChangedFile,
  type Check,
  type CheckRun,
  type Decision,
  endWords,
  type OpenNow,
  type Request,
  readAccount,
  type Said,
  type SessionAccount,
  type Standing,
} from './account.ts';
export { briefOf, failureWords, wholeBriefOf } from './brief.ts';
export { changedLine, lookedLine } from './changed.ts';
export { Digester } from './digester.ts';
export {
  nothingAsked,
  openNow,
  standingParts,
  titleOf,
} from './ended.ts';
export { AccountFold } from './fold.ts';
export { type Question, questionsOf } from './questions.ts';
export { SessionAccounts } from './read-accounts.ts';
export { mainOf } from './requests.ts';
export { isAbout } from './steps.ts';
export { accountText } from './text.ts';
export { decisionWords, goalWords, outcomeWords } from './words.ts';
