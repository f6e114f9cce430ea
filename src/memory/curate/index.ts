/**
 * What replaces and what contradicts what among summaries, by rules over the calls they tell of, and by a model's word on
 * the pairs that they leave open.
 * Promises: an edge goes from the newer to the older and says what a person can check; a contradiction is shown, never
 * resolved; the cost is near-linear in the number of summaries, also for those that come late; a model is asked about few
 * pairs, each once, and what it says changes nothing that the rules find. Removes nothing.
 */
export type { Asked, Asking } from './asking.ts';
export { curate } from './curator.ts';
export { type Judge, judgeBy } from './judge.ts';
