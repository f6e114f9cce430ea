import type { ComparedCall } from '../compared-call.ts';
import { share } from '../lines.ts';
import { named, type Rule, sameLocation } from './rule.ts';

/** A failed call succeeded later: the same call, or an edit that adds the same lines to the same file. */
export const retried: Rule = (pair) => {
  const { older, newer } = pair;
  if (!older.failed || older.refused || newer.failed || !sameLocation(pair)) return null;
  if (older.asked === newer.asked && worked(newer))
    return {
      kind: 'supersedes',
      evidence: `retried: the call that failed as ${named(older)} worked as ${named(newer)}`,
    };
  const [before, after] = [older.changes[0], newer.changes[0]];
  if (before === undefined || after === undefined || older.changes.length > 1) return null;
  if (before.path !== after.path || before.added.length === 0) return null;
  if (share(before.added, after.added) < shareMin) return null;
  return {
    kind: 'supersedes',
    evidence: `retried: the edit that failed as ${named(older)} went through as ${named(newer)}: \`${after.sample.slice(0, 120)}\``,
  };
};

/** Behind a pipe the exit status does not show a failure. Checks have a rule of their own. */
function worked({ family, subjects }: ComparedCall): boolean {
  if (family !== 'command') return true;
  return (
    subjects.some(({ outcome }) => outcome === 'passed') && !subjects.some(({ kind }) => kind === 'check')
  );
}

const shareMin = 0.9;
