/**
 * Decides which summary replaces or contradicts which: by rules over their calls, and by a model for pairs that the
 * rules leave open.
 * An edge goes from the newer to the older and carries evidence that a person can check. A contradiction is shown,
 * never resolved. The cost is near-linear in the number of summaries, also for events that arrive late. A model is
 * asked about few pairs, once each, and cannot change what the rules find. This room removes nothing.
 */
export type { Asked, Asking } from './asking.ts';
export { curate } from './curator.ts';
export { type Judge, judgeBy } from './judge.ts';
export { likeness } from './lines.ts';
