/**
 * The digest of a session in at most eight lines: requests, changes, commits, decisions, failures and whether they
 * were fixed, and the final state.
 * Every name and number is in the calls and prompts of the session. The result is the same for the same store, takes
 * time linear in the session, and is written again when the session has new events. Uses no model.
 * The outline reads sessions by the same parts.
 */
export { takeChecks, takeSessionChecks } from './checks.ts';
export { complaintIn } from './complaint.ts';
export { Digester } from './digester.ts';
export { goalOf } from './goal.ts';
export { outcomeOf } from './outcome.ts';
export { SessionTalk } from './talk.ts';
export { SessionTally } from './tally.ts';
