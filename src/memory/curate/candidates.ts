import type { Subject } from '#reading/subjects';
import type { ComparedCall } from './compared-call.ts';
import { likeness } from './lines.ts';
import { type Pair, sameLocation } from './rules/rule.ts';

/** Why two summaries that no rule decides may replace or contradict each other. */
export interface Reason {
  /** A higher weight is asked about first. Stored with the pair. */
  readonly weight: number;
  /** Shown to the model and to people. */
  readonly words: string;
  readonly holds: (pair: Pair) => boolean;
}

/** The reason with the highest weight, or null. */
export function reasonFor(pair: Pair): Reason | null {
  return reasons.find(({ holds }) => holds(pair)) ?? null;
}

/** The words of the reason with this weight. */
export function reasonWords(weight: number): string {
  return reasons.find((reason) => reason.weight === weight)?.words ?? 'they are about the same';
}

/** Whether a pair that shares this subject may be worth a question when no rule decides it. */
export function mayBeCandidate({ family, failed }: ComparedCall, { kind, name }: Subject): boolean {
  if (kind === 'symbol') return family === 'edit' && !failed;
  return kind === 'check' && name.startsWith('test:');
}

/** By weight, highest first. Pairs are stored with the weight, so a weight is never reused: 3 and 6 were. */
const reasons: readonly Reason[] = [
  {
    weight: 5,
    words: 'two sessions edited the same symbol of the same file',
    holds: (pair) => {
      const { older, newer } = pair;
      if (older.sessionId === newer.sessionId || older.failed || newer.failed || !sameLocation(pair))
        return false;
      return symbols(older).some((name) => symbols(newer).includes(name));
    },
  },
  {
    weight: 4,
    words: 'the same check or test was run again',
    holds: (pair) => sameLocation(pair) && endedUnclear(pair),
  },
  {
    weight: 2,
    words: 'the same look at the same thing gave another result',
    holds: (pair) => {
      const { older, newer } = pair;
      if (older.asked !== newer.asked || older.failed || newer.failed || !looks.has(newer.family))
        return false;
      return sameLocation(pair) && otherResult(older, newer);
    },
  },
  {
    weight: 1,
    words: 'two sessions say almost the same about the same subject',
    holds: ({ older, newer }) =>
      older.sessionId !== newer.sessionId &&
      likeness(older.words.all, newer.words.all) >= alikeMin &&
      (older.words.figures !== newer.words.figures || otherResult(older, newer)),
  },
];

const looks: ReadonlySet<ComparedCall['family']> = new Set(['read', 'search', 'web']);

/** A rule for duplicates requires 0.9. */
const alikeMin = 0.7;

/** Results below this likeness differ. */
const sameResultMin = 0.9;

function otherResult(older: ComparedCall, newer: ComparedCall): boolean {
  return likeness(older.output, newer.output) < sameResultMin;
}

function symbols({ family, subjects }: ComparedCall): readonly string[] {
  return family === 'edit' ? subjects.flatMap(({ kind, name }) => (kind === 'symbol' ? [name] : [])) : [];
}

/** A check or test of both calls failed twice with different output, or ended differently and no rule was sure. */
function endedUnclear({ older, newer }: Pair): boolean {
  const after = new Map(
    newer.subjects.flatMap((one) => (one.kind === 'check' ? [[one.name, one.outcome]] : [])),
  );
  return older.subjects.some(({ kind, name, outcome }) => {
    const now = kind === 'check' ? after.get(name) : undefined;
    if (now === undefined || outcome === 'none' || now === 'none') return false;
    return outcome !== now || (outcome === 'failed' && otherResult(older, newer));
  });
}
