import type { CallPosition, Occurrences, SearchReads } from '../../memory/store/index.ts';
import { bm25Share } from '../../reading/terms/index.ts';
import { groupedBy } from './groups.ts';
import { type AskedTerm, type Leg, type LexicalLeg, ranked } from './legs.ts';
import { type Counting, countingOnce } from './occurrences.ts';
import { type Measure, meanOfBest, type Shares, withShares } from './shares.ts';
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
  const calls = callsOf(counting, lexical, places);
  const usual = calls.reduce((sum, { length }) => sum + length, 0) / Math.max(1, calls.length);
  for (const session of bySession(calls)) {
    for (const [at, call] of session.entries()) {
      const around = neighbours(session, at);
      if (around.length > 0) supported.add(call.id);
      ofCalls.push({ id: call.id, measure: score([{ call, share: 1 }, ...around], lexical.terms, usual) });
    }
  }
  const lifted = withTalk({ store, counting }, lexical, places, ofCalls, shares.talk);
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
    const share = sessionId === '' ? 0 : sessionShare * (means.get(sessionId) ?? 0);
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
  const counted = counting([...messageOf.keys()]).map(({ id: row, counts, length }) => {
    const { id = row, sessionId: session = '' } = messageOf.get(row) ?? {};
    return { id, counts, length, session };
  });
  const usual = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length);
  const added = new Map<number, number>();
  for (const session of bySession(counted)) {
    for (const [at, call] of session.entries()) {
      const around = neighbours(session, at).map(({ call: other, share }) => {
        return { call: other, share: share * shortness(call.length) * shortness(other.length) };
      });
      const alone = { call, share: 1 };
      added.set(call.id, score([alone, ...around], terms, usual) - score([alone], terms, usual));
    }
  }
  return added;
}

function shortness(length: number): number {
  return Math.min(1, shortTerms / Math.max(1, length));
}

/** In terms of the index, which has words and their stems. */
const shortTerms = 60;

const sessionShare = 1;

interface Counted extends Occurrences {
  readonly session: string;
}

interface Share {
  readonly call: Counted;
  readonly share: number;
}

function callsOf(counting: Counting, { found }: LexicalLeg, places: readonly CallPosition[]): Counted[] {
  const sessionOf = new Map<number, string>();
  for (const { id, kind, sessionId } of places)
    if (kind === 'call' && found.has(id)) sessionOf.set(id, sessionId);
  return counting([...sessionOf.keys()]).map((one) => ({ ...one, session: sessionOf.get(one.id) ?? '' }));
}

/** Each session's calls in order; a call without a session is alone. */
function bySession(calls: readonly Counted[]): Counted[][] {
  const ordered = [...calls].sort((a, b) => a.id - b.id);
  const alone = ordered.filter(({ session }) => session === '').map((call) => [call]);
  return [...groupedBy(ordered, ({ session }) => session || null).values(), ...alone];
}

/** The calls of `session` near its `at`th call. */
function neighbours(session: readonly Counted[], at: number): Share[] {
  const { id = 0 } = session[at] ?? {};
  const found: Share[] = [];
  for (const step of [-1, 1]) {
    for (
      let other = session[at + step], by = step;
      other !== undefined;
      by += step, other = session[at + by]
    ) {
      const distance = Math.abs(other.id - id);
      if (distance > neighboursMax) break;
      found.push({ call: other, share: neighbourShare * 2 ** (-distance / neighbourHalving) });
    }
  }
  return found;
}

/** BM25 of the summed counts and the mean length: the summed length would penalise a call with many neighbours. */
function score(shares: readonly Share[], terms: readonly AskedTerm[], usualLength: number): number {
  let length = 0;
  let whole = 0;
  for (const { call, share } of shares) {
    length += share * call.length;
    whole += share;
  }
  length /= whole;
  const usual = Math.max(1, usualLength);
  let sum = 0;
  for (const [at, { idf }] of terms.entries()) {
    let times = 0;
    for (const { call, share } of shares) times += share * (call.counts[at] ?? 0);
    if (times > 0) sum += bm25Share(idf, times, length, usual);
  }
  return sum;
}

const neighboursMax = 32;
const neighbourHalving = 8;
const neighbourShare = 0.3;
const sessionWeight = 3;
