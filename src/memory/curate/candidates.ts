import type { Subject } from '../../calls/subjects/index.ts';
import type { Facts } from './facts.ts';
import { likeness } from './lines.ts';
import { type Pair, sameLocation } from './rules/rule.ts';

/** Why it is plausible that two summaries that no rule decides stand to each other. */
export interface Reason {
  /** How telling it is; higher is more. Stored with the pair. */
  readonly weight: number;
  /** For the model and for people. */
  readonly words: string;
  readonly holds: (pair: Pair) => boolean;
}

/** What makes a pair worth a question, or null. Of several reasons the most telling. */
export function reasonFor(pair: Pair): Reason | null {
  return reasons.find(({ holds }) => holds(pair)) ?? null;
}

/** The words of the reason that a pair was noted for. */
export function reasonWords(weight: number): string {
  return reasons.find((reason) => reason.weight === weight)?.words ?? 'they are about the same';
}

/** Whether a pair that shares this subject may be worth a question though no rule makes anything of it. */
export function mayBeCandidate({ family, failed }: Facts, { kind, name }: Subject): boolean {
  if (kind === 'symbol') return family === 'edit' && !failed;
  return (kind === 'check' && name.startsWith('test:')) || (kind === 'decision' && family === 'plan');
}

/** The most telling first; a weight is never given to another reason, as pairs are stored with it. */
const reasons: readonly Reason[] = [
  {
    weight: 6,
    words: 'both tell of a decision on the same question',
    holds: ({ older, newer }) => shared(decisions(older), decisions(newer)) && decided(older, newer),
  },
  {
    weight: 5,
    words: 'two sessions edited the same symbol of the same file',
    holds: (pair) => {
      const { older, newer } = pair;
      if (older.sessionId === newer.sessionId || older.failed || newer.failed || !sameLocation(pair))
        return false;
      return shared(symbols(older), symbols(newer));
    },
  },
  {
    weight: 4,
    words: 'the same check or test was run again',
    holds: (pair) => sameLocation(pair) && endedUnclear(pair),
  },
  {
    weight: 3,
    words: 'the same call failed twice, with different results',
    holds: ({ older, newer }) =>
      older.asked === newer.asked &&
      older.failed &&
      newer.failed &&
      !older.refused &&
      !newer.refused &&
      otherResult(older, newer),
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
    words: 'two sessions tell almost the same of the same subject',
    holds: ({ older, newer }) =>
      older.sessionId !== newer.sessionId &&
      likeness(older.words.all, newer.words.all) >= alikeMin &&
      (older.words.figures !== newer.words.figures || otherResult(older, newer)),
  },
];

const looks: ReadonlySet<Facts['family']> = new Set(['read', 'search', 'web']);

/** Seven words of ten; a rule takes nine for the same. */
const alikeMin = 0.7;

/** Likeness of results under which they are others. */
const sameResultMin = 0.9;

function otherResult(older: Facts, newer: Facts): boolean {
  return likeness(older.output, newer.output) < sameResultMin;
}

/** Questions put to the user and plans they accepted; a commit's subject says what was done, not what holds. */
function decisions({ family, subjects }: Facts): readonly string[] {
  if (family !== 'question' && family !== 'plan') return [];
  return named(subjects, 'decision').filter((name) => !name.includes(' -> '));
}

/** The same question with the same answers leaves nothing to ask. */
function decided(older: Facts, newer: Facts): boolean {
  const before = named(older.subjects, 'decision');
  const after = named(newer.subjects, 'decision');
  return newer.family === 'plan'
    ? otherResult(older, newer) || older.asked !== newer.asked
    : before.join('\n') !== after.join('\n');
}

function symbols({ family, subjects }: Facts): readonly string[] {
  return family === 'edit' ? named(subjects, 'symbol') : [];
}

function named(subjects: readonly Subject[], kind: Subject['kind']): string[] {
  return subjects.flatMap((subject) => (subject.kind === kind ? [subject.name] : []));
}

function shared(one: readonly string[], other: readonly string[]): boolean {
  return one.some((name) => other.includes(name));
}

/** A check or test that both tell of: it failed twice and not alike, or ended otherwise and no rule was sure of it. */
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
