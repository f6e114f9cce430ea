/**
 * What replaces and what contradicts what among summaries, by rules over the calls they tell of.
 * Promises: an edge goes from the newer to the older and says what a person can check; a contradiction is shown, never
 * resolved; the cost is near-linear in the number of summaries, also for those that come late. Removes nothing.
 */
export { type CurateOptions, type CurateResult, curate } from './curator.ts';
