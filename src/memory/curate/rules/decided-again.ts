import type { ComparedCall } from '../compared-call.ts';
import { named, type Rule } from './rule.ts';

/** The user answered the same question differently: the later answer holds. */
export const decidedAgain: Rule = ({ older, newer }) => {
  if (older.family !== 'question' || newer.family !== 'question') return null;
  const before = answersOf(older);
  const after = answersOf(newer);
  // The newer call must repeat every question of the older one.
  if (before.size === 0 || [...before.keys()].some((question) => !after.has(question))) return null;
  const question = [...before.keys()].find((asked) => before.get(asked) !== after.get(asked));
  if (question === undefined) return null;
  return {
    kind: 'supersedes',
    evidence: `decided again: “${question.slice(0, 120)}” was “${before.get(question)}” in ${named(older)}, is “${after.get(question)}” in ${named(newer)}`,
  };
};

/** Answers by question, from the subjects `question -> answer`. */
function answersOf({ subjects }: ComparedCall): Map<string, string> {
  const found = new Map<string, string>();
  for (const { kind, name } of subjects) {
    if (kind !== 'decision') continue;
    const at = name.lastIndexOf(' -> ');
    if (at > 0) found.set(name.slice(0, at), name.slice(at + 4));
  }
  return found;
}
