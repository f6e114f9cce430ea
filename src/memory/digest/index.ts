/**
 * The digest of a session in at most eight lines: requests, changes, commits, decisions, failures and whether they
 * were fixed, and the final state.
 * Every name and number is in the calls and prompts of the session. The result is the same for the same store, takes
 * time linear in the session, and is written again when the session has new events. Uses no model.
 */
export { Digester } from './digester.ts';
