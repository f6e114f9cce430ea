import type { CallPosition, SearchReads } from '#memory/store';
import { groupedBy } from './groups.ts';
import { type Leg, type LexicalLeg, ranked } from './legs.ts';
import { type Counted, type Counting, countingOnce } from './occurrences.ts';
import { type Measure, meanOfBest, type Shares, withShares } from './shares.ts';
import { type Entry, type Neighbours, SumOfCounts, sharesBy } from './sum-of-counts.ts';
import { noTalk, saidScores, withTalk } from './turn-talk.ts';

export interface SessionLeg extends Leg {
  /** The highest measure; 0 when nothing was found. */
  readonly best: number;
  /** Calls with a term of the query in a neighbour. */
  readonly supported: ReadonlySet<number>;
  /** What the talk of its turn adds to the measure of a call. */
  readonly talk: ReadonlyMap<number, number>;
}

/**
 * BM25 of a call together with its neighbours in the session: a term counts in full in the call and in part in each neighbour,
 * before BM25's saturation. Ranks only the candidates of the lexical leg. Neighbours are near by id, since the summaries of a
 * session are made in the order of its calls.
 *
 * Over 1,322 queries and 20,772 real calls, without -> with this leg: nDCG@10 commit .252 -> .265, prompt .204 -> .225; LoCoMo R@10
 * .632 -> .669. With `shares`: commit .384 -> .400, questions .590 -> .620, prompt .227 -> .228.
 */
export function sessionLeg(
  store: SearchReads,
  lexical: LexicalLeg,
  places: readonly CallPosition[],
  weightOf: (place: CallPosition) => number,
  shares: Shares,
): SessionLeg {
  const supported = new Set<number>();
  const ofCalls: Measure[] = [];
  const counting = countingOnce(store, lexical);
  const calls = places.flatMap(({ id, kind, sessionId }) =>
    kind === 'call' && lexical.found.has(id) ? entryOf(counting.get(id), id, sessionId) : [],
  );
  const sum = new SumOfCounts(lexical.terms, usualLength(calls));
  for (const session of bySession(calls)) {
    for (const [at, call] of session.entries()) {
      sum.start(call.counted);
      if (sum.addAround(session, at)) supported.add(call.id);
      ofCalls.push({ id: call.id, measure: sum.score() });
    }
  }
  const lifted = withTalk({ store, counting }, lexical, places, ofCalls, shares);
  const measures = withShares(places, lifted.measures, shares);
  for (const one of said(counting, lexical, places, weightOf)) {
    measures.push(one);
    if (one.isSupported) supported.add(one.id);
  }
  measures.sort((a, b) => b.measure - a.measure || b.id - a.id);
  const best = measures[0]?.measure ?? 0;
  return { weight: sessionWeight, found: ranked(measures), supported, talk: lifted.talk, best };
}

/** What was at the time that is asked about, best first, as a leg in the place of the neighbours. */
export function timeLeg(ids: readonly number[]): SessionLeg {
  const found = ranked(ids.map((id, at) => ({ id, measure: ids.length - at })));
  return { weight: 1, found, supported: new Set(), talk: noTalk, best: ids.length };
}

/**
 * A message or a digest: its own score, a share of its session's (the mean of the best few of any kind), and what short messages around
 * a short one add. Neighbours in full, as among calls, lower the answers (answer@5 .630 -> .459 of 135 questions); among short ones they
 * raise them (LoCoMo R@10 .670 -> .706).
 */
function said(
  counting: Counting,
  lexical: LexicalLeg,
  places: readonly CallPosition[],
  weightOf: (place: CallPosition) => number,
): { id: number; measure: number; isSupported: boolean }[] {
  const matched = places.filter(({ id }) => lexical.found.has(id));
  const asked = matched.filter(({ kind }) => kind !== 'call');
  if (asked.length === 0) return [];
  // Of calls only those count here in whose session something else matches.
  const talking = new Set(asked.map(({ sessionId }) => sessionId));
  const near = matched.filter(({ sessionId }) => talking.has(sessionId));
  const scores = saidScores(counting, lexical, matched, near);
  const around = shortAround(counting, lexical, matched);
  const sessions = groupedBy(near, ({ sessionId }) => sessionId);
  const weighted = (place: CallPosition): number => (scores.get(place.id) ?? 0) * weightOf(place);
  const means = new Map([...sessions].map(([session, all]) => [session, meanOfBest(all.map(weighted))]));
  return asked.map(({ id, sessionId }) => {
    const isSupported = (sessions.get(sessionId)?.length ?? 0) > 1;
    const share = sessionId === '' ? 0 : (means.get(sessionId) ?? 0);
    return { id, measure: (scores.get(id) ?? 0) + share + (around.get(id) ?? 0), isSupported };
  });
}

/** What the neighbours of each message add to its best passage: in full among messages of a few sentences, less with their lengths. */
function shortAround(
  counting: Counting,
  { found, terms }: LexicalLeg,
  places: readonly CallPosition[],
): Map<number, number> {
  const messageOf = new Map<number, CallPosition>();
  for (const place of places) {
    const row = found.get(place.id)?.rows?.[0];
    if (place.kind === 'message' && row !== undefined) messageOf.set(row, place);
  }
  const counted = [...messageOf].flatMap(([row, { id, sessionId }]) =>
    entryOf(counting.get(row), id, sessionId),
  );
  const sum = new SumOfCounts(terms, usualLength(counted));
  const added = new Map<number, number>();
  for (const session of bySession(counted)) {
    for (const [at, call] of session.entries()) {
      sum.start(call.counted);
      const alone = sum.score();
      sum.addAround(session, at, ofMessages);
      added.set(call.id, aroundShare * (sum.score() - alone));
    }
  }
  return added;
}

/** A reply belongs to what was said just before. With the shares of calls: LoCoMo R@10 .714 -> .695, talk answer@5 .763 -> .733. */
const ofMessages: Neighbours = {
  shares: sharesBy(0.6, 2),
  weightOf: (length) => Math.min(1, shortTerms / Math.max(1, length)),
};
const aroundShare = 1.5;

/** In terms of the index, which has words and their stems. */
const shortTerms = 60;

function entryOf(counted: Counted | undefined, id: number, session: string): Entry[] {
  return counted === undefined ? [] : [{ id, session, counted }];
}

function usualLength(entries: readonly Entry[]): number {
  return entries.reduce((sum, { counted }) => sum + counted.length, 0) / Math.max(1, entries.length);
}

/** Each session's calls in order; a call without a session is alone. */
function bySession(calls: readonly Entry[]): Entry[][] {
  const ordered = [...calls].sort((a, b) => a.id - b.id);
  const alone = ordered.filter(({ session }) => session === '').map((call) => [call]);
  return [...groupedBy(ordered, ({ session }) => session || null).values(), ...alone];
}

const sessionWeight = 3;
