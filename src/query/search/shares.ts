import type { CallPosition } from '#memory/store';
import { groupedBy } from './groups.ts';
import type { Reading } from './intent.ts';

/** The parts that a call's session, the file it edits and the talk of its turn have in its measure. */
export interface Shares {
  readonly session: number;
  readonly file: number;
  readonly talk: number;
  /** The talk orders the calls and raises none of them. */
  readonly isLevel?: boolean;
}

export interface Measure {
  readonly id: number;
  readonly measure: number;
}

/**
 * A change is many edits of a few files in one session, and so is what a question asks about. A request names what is to do next: its
 * words are no sign of a session (prompts "words" -.019). Where talk answers, calls come after it (answer@5 -.015). Plain
 * words may be a change, too: talk orders the calls then, commits among calls .600 -> .614, questions ±0.
 */
export function sharesFor({ intent, looksBack, isTalk }: Reading): Shares {
  if (isTalk) return intent === 'words' ? { ...none, talk, isLevel: true } : none;
  if (intent === 'change') return { session: 1, file: 0.2, talk };
  if (intent === 'words') return { session: 0, file: 0.2, talk };
  return intent === 'any' && looksBack ? { session: 1, file: 0.3, talk } : { ...none, talk };
}

const none: Shares = { session: 0, file: 0, talk: 0 };
/**
 * Each of request and last word. Chosen on 78 commits over transcripts, on the other 83 without -> with all of it:
 * nDCG@10 among calls .513 -> .594, in the one ranking .197 -> .510 (with `asksTalk` for changes). From .3 to 1 it is level.
 */
const talk = 0.5;

/** Adds to each call the mean of the best calls of its session, and of the best edits of its file in that session. */
export function withShares(
  places: readonly CallPosition[],
  measures: readonly Measure[],
  shares: Shares,
): Measure[] {
  if (shares.session === 0 && shares.file === 0) return [...measures];
  const placeOf = new Map(places.map((place) => [place.id, place]));
  const session = meansBy(measures, ({ id }) => placeOf.get(id)?.sessionId ?? '');
  const file = meansBy(measures, ({ id }) => {
    const { file = '', sessionId = '' } = placeOf.get(id) ?? {};
    return file === '' || sessionId === '' ? '' : `${sessionId}\n${file}`;
  });
  return measures.map(({ id, measure }, at) => ({
    id,
    measure: measure + shares.session * (session[at] ?? 0) + shares.file * (file[at] ?? 0),
  }));
}

/** For each the mean of its group; 0 for those whose key is empty. */
function meansBy(measures: readonly Measure[], keyOf: (one: Measure) => string): number[] {
  const means = measures.map(() => 0);
  const keys = measures.map(keyOf);
  const groups = groupedBy(measures.keys(), (at) => keys[at] || null);
  for (const group of groups.values()) {
    const mean = meanOfBest(group.map((at) => measures[at]?.measure ?? 0));
    for (const at of group) means[at] = mean;
  }
  return means;
}

/** Each next one of the best few counts less; what is missing counts nothing. */
export function meanOfBest(scores: readonly number[]): number {
  const best = scores.toSorted((a, b) => b - a);
  let sum = 0;
  let whole = 0;
  for (let at = 0; at < bestOfSession; at++) {
    sum += (best[at] ?? 0) * bestHalving ** at;
    whole += bestHalving ** at;
  }
  return sum / whole;
}

const bestOfSession = 5;
const bestHalving = 0.7;
