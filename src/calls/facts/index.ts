/** What later calls of a session use of a call: what ran and how it ended, what failed, which files changed. */
export { type Facts, factsOf } from './facts.ts';
