import { share } from '../lines.ts';
import type { PlanStep } from '../plan.ts';
import { named, type Rule } from './rule.ts';

/** The session wrote its plan or task again, with all that it held before. */
export const planGoesOn: Rule = ({ older, newer }) => {
  if (older.sessionId !== newer.sessionId) return null;
  for (const before of older.plan) {
    const after = newer.plan.find(({ id }) => id === before.id);
    if (after === undefined || share(before.says, after.says) < 1 || !goesOn(before, after)) continue;
    return {
      kind: 'supersedes',
      evidence: `plan goes on: ${before.id} is “${after.state}” as ${named(newer)}, was “${before.state}” as ${named(older)}`,
    };
  }
  return null;
};

/** Task numbers start again when a list is cleared, so a task that starts or reopens may be another one. */
function goesOn(before: PlanStep, after: PlanStep): boolean {
  if (before.id === 'list') return true;
  const was = states.indexOf(before.state);
  return was >= 0 && states.indexOf(after.state) > was;
}

const states = ['pending', 'in_progress', 'completed', 'deleted'];
