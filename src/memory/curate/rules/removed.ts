import { named, type Rule, sameLocation } from './rule.ts';

/** A call removed the file that the older call created, which did nothing else. */
export const removed: Rule = (pair) => {
  const { older, newer } = pair;
  if (older.failed || newer.failed || !sameLocation(pair)) return null;
  const made = older.subjects.filter(({ kind, outcome }) => kind === 'file' && outcome === 'created');
  const others = older.subjects.filter(({ kind, outcome }) => kind === 'file' && outcome !== 'created');
  if (older.family !== 'edit' || made.length === 0 || others.length > 0) return null;
  const gone = new Set(
    newer.subjects.flatMap(({ kind, outcome, name }) =>
      kind === 'file' && outcome === 'removed' ? [name] : [],
    ),
  );
  if (!made.every(({ name }) => gone.has(name))) return null;
  return {
    kind: 'supersedes',
    evidence: `removed: ${made.map(({ name }) => `\`${name}\``).join(', ')}, made as ${named(older)}, was removed as ${named(newer)}`,
  };
};
