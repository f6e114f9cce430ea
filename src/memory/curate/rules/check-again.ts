import { named, type Rule, type Surroundings, sameLocation } from './rule.ts';

/**
 * A check was run again, and its former outcome no longer holds: a failure passes now, or a pass passes again or
 * fails. The newer call must cover every check of the older one. Two failures stay: their causes may differ.
 */
export const checkAgain: Rule = (pair, around) => {
  const { older, newer } = pair;
  if (!sameLocation(pair)) return null;
  const before = older.checks;
  const after = newer.checks;
  if (before.size === 0 || [...before.keys()].some((name) => !after.has(name))) return null;
  const failedBefore = names(before, 'failed');
  const failedAfter = names(after, 'failed');
  const about = failedBefore[0] ?? failedAfter[0] ?? [...before.keys()][0] ?? '';
  if (failedBefore.length > 0 && failedAfter.length === 0) {
    const evidence = `check passed: \`${about}\` failed as ${named(older)} and passed as ${named(newer)}${changed(around)}`;
    return { kind: 'supersedes', evidence };
  }
  if (failedBefore.length > 0) return null;
  const how = failedAfter.length === 0 ? 'passed again' : 'failed';
  return {
    kind: 'supersedes',
    evidence: `check again: \`${about}\` passed as ${named(older)} and ${how} as ${named(newer)}`,
  };
};

function names(outcomes: ReadonlyMap<string, string>, wanted: string): string[] {
  return [...outcomes].flatMap(([name, outcome]) => (outcome === wanted ? [name] : []));
}

/** The edits between the two runs, if known. */
function changed({ between }: Surroundings): string {
  const edits = (between() ?? []).filter(({ family, failed }) => family === 'edit' && !failed);
  const ids = edits.slice(0, 5).map(({ id }) => `#${id}`);
  return ids.length === 0 ? '' : `; edited between: ${ids.join(', ')}`;
}
