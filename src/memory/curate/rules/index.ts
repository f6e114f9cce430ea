import { checkAgain } from './check-again.ts';
import { checksDisagree } from './checks-disagree.ts';
import { decidedAgain } from './decided-again.ts';
import { duplicate } from './duplicate.ts';
import { planGoesOn } from './plan-goes-on.ts';
import { removed } from './removed.ts';
import { retried } from './retried.ts';
import { rewritten } from './rewritten.ts';
import type { Rule } from './rule.ts';

export type { Finding, Pair, Rule, Surroundings } from './rule.ts';

/** By name, in the order in which they are asked; the first that has something to say of a pair is heard. */
export const rules: Readonly<Record<string, Rule>> = {
  'checks disagree': checksDisagree,
  duplicate,
  'check again': checkAgain,
  retried,
  rewritten,
  removed,
  'plan goes on': planGoesOn,
  'decided anew': decidedAgain,
};
