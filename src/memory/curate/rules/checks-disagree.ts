import { fixes } from '../../../calls/checks/index.ts';
import { curateQuietMs } from '../../../core/limits.ts';
import type { ComparedCall } from '../compared-call.ts';
import { named, type Rule, sameLocation } from './rule.ts';

/**
 * The same check passes and fails in two consecutive runs, and no change between them is known. Only a person can say
 * which is right.
 */
export const checksDisagree: Rule = (pair, around) => {
  const { older, newer } = pair;
  if (!sameLocation(pair)) return null;
  const before = older.checks;
  const after = newer.checks;
  const name = [...after.keys()].find((key) => before.has(key) && before.get(key) !== after.get(key));
  if (name === undefined || Date.parse(newer.ts) - Date.parse(older.ts) > curateQuietMs) return null;
  if (changesThings(older) || changesThings(newer)) return null;
  const between = around.between();
  if (between === null || between.some((one) => changesThings(one) || one.checks.has(name))) return null;
  const [was, is] = [before.get(name), after.get(name)];
  return {
    kind: 'contradicts',
    evidence: `checks disagree: \`${name}\` ${was} as ${named(older)} and ${is} as ${named(newer)}; no change is known in between`,
  };
};

/** Whether a call may have changed what a check reads. */
function changesThings({ family, subjects, failed }: ComparedCall): boolean {
  if (family === 'edit') return !failed;
  if (family === 'command')
    return (
      subjects.length === 0 || subjects.some(({ kind, outcome, name }) => !onlyLooks(kind, outcome, name))
    );
  return family === 'agent' || family === 'other';
}

function onlyLooks(kind: string, outcome: string, name: string): boolean {
  if (kind === 'file') return outcome === 'read';
  if (kind === 'command')
    return /^(?:ls|pwd|echo|wc|git (?:status|diff|log|show|branch)|grep|rg|cat|head|tail)\b/.test(name);
  return kind === 'query' || (kind === 'check' && !fixes.test(name));
}
