/**
 * What later calls of a session use of a call: what ran and how it ended, what failed, which files changed.
 * Facts come from the call alone. This room compares no calls.
 */
export { type Facts, factsOf } from './facts.ts';
