import { curateQuietMs } from '#core/limits';
import type { Change, ComparedCall } from '../compared-call.ts';
import { share } from '../lines.ts';
import { named, type Rule, type Surroundings } from './rule.ts';

/**
 * The newer edit removed what the older one wrote, or restored what it removed. An edit elsewhere in the file, or one
 * that keeps some of the lines, replaces nothing.
 */
export const rewritten: Rule = ({ older, newer }, around) => {
  if (older.failed || newer.failed || older.changes.length === 0) return null;
  const replaced = older.changes.map((before) =>
    newer.changes.map((after) => how(before, after)).find((said) => said !== null),
  );
  const first = replaced[0];
  if (first === undefined || first === null || replaced.some((said) => said === undefined || said === null))
    return null;
  const evidence = `${named(newer)} ${first} ${named(older)}`;
  if (!isDispute(older, newer, around)) return { kind: 'supersedes', evidence: `rewritten: ${evidence}` };
  return {
    kind: 'contradicts',
    evidence: `sessions disagree: ${evidence}, of a session that ran at the same time`,
  };
};

/** Two sessions ran at the same time: one may still want what the other undid. */
function isDispute(older: ComparedCall, newer: ComparedCall, { sideBySide }: Surroundings): boolean {
  if (older.sessionId === newer.sessionId) return false;
  return Date.parse(newer.ts) - Date.parse(older.ts) <= curateQuietMs && sideBySide();
}

function how(before: Change, after: Change): string | null {
  if (before.path !== after.path || before.isCut || after.isCut || before.path === '') return null;
  const quote = `\`${before.sample.slice(0, 120)}\``;
  if (after.whole !== null) {
    if (before.whole !== null) {
      // A rewrite that keeps most lines replaces nothing: its summary names only the differences.
      return share(before.whole, after.whole) < 0.5 ? 'rewrote the file that was written as' : null;
    }
    const gone = before.added.length > 0 && share(before.added, after.whole) === 0;
    return gone ? `wrote the file without ${quote}, which came with` : null;
  }
  if (before.whole !== null || !inOnePlace(before, after)) return null;
  if (before.added.length > 0) {
    if (tookOutMore(before, after)) return null;
    const isOut = before.isTelling ? share(before.added, after.removed) >= shareMin : isUndone(before, after);
    return isOut ? `took out ${quote}, which came with` : null;
  }
  const isBack = before.isTelling && share(before.removed, after.added) >= shareMin;
  return isBack ? `brought back ${quote}, which was taken out with` : null;
}

/**
 * A file may hold the same lines more than once; the lines around them locate the change. Half of the lines around the
 * newer edit must be around the older one, or the newer edit removed all lines around the older one. The line directly
 * above one change must be near the other.
 */
function inOnePlace(before: Change, after: Change): boolean {
  if (after.around.length === 0 || before.around.length === 0) return true;
  const then = [...before.around, ...before.added];
  const now = [...after.around, ...after.removed];
  if (share(after.around, then) < 0.5 && share(before.around, now) < 1) return false;
  if (after.above === null || before.above === null) return true;
  return then.includes(after.above) || now.includes(before.above);
}

/** The older edit mostly removed lines, and they are still gone. */
function tookOutMore(before: Change, after: Change): boolean {
  return before.removed.length > 2 * before.added.length && share(before.removed, after.added) < shareMin;
}

/** The newer edit changed the same lines and nothing else, or changed them back. */
function isUndone(before: Change, after: Change): boolean {
  if (!equal(before.added, after.removed)) return false;
  return equal(before.removed, after.added) || before.around.length + after.around.length === 0;
}

function equal(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && share(one, other) === 1 && share(other, one) === 1;
}

const shareMin = 0.9;
