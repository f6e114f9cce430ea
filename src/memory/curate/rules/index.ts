import { checkAgain } from './check-again.ts';
import { decidedAgain } from './decided-again.ts';
import { duplicate } from './duplicate.ts';
import { planGoesOn } from './plan-goes-on.ts';
import { retried } from './retried.ts';
import { rewritten } from './rewritten.ts';
import type { Rule } from './rule.ts';

export type { Finding, Pair, Rule, Surroundings } from './rule.ts';

/** In the order in which the curator asks them: the first that decides a pair wins. */
export const rules: readonly Rule[] = [duplicate, checkAgain, retried, rewritten, planGoesOn, decidedAgain];
