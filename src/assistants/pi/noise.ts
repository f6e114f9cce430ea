import type { Noise } from '../form/index.ts';

/** A skill that a prompt names stands in it whole. */
export const noise: Noise = { elements: 'skill' };
