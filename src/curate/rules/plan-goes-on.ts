import { share } from '../lines.ts';
import { named, type Rule } from './rule.ts';

/** A plan, or a task of it, was written anew in its session, with all that stood in it before. */
export const planGoesOn: Rule = ({ older, newer }) => {
  if (older.sessionId !== newer.sessionId) return null;
  for (const before of older.plan) {
    const after = newer.plan.find(({ id }) => id === before.id);
    if (after === undefined || share(before.says, after.says) < 1) continue;
    return {
      kind: 'supersedes',
      evidence: `plan goes on: ${before.id} is “${after.state}” as ${named(newer)}, was “${before.state}” as ${named(older)}`,
    };
  }
  return null;
};
