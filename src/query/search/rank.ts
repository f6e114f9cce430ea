import type { CallPosition, SearchReads } from '#memory/store';
import { raiseAmending } from './amends.ts';
import { type Decay, decayOf } from './decay.ts';
import { type Factor, times } from './factor.ts';
import { foldEqual } from './fold.ts';
import { intentFactor, type Reading } from './intent.ts';
import { kindFactor } from './kinds.ts';
import type { Candidate, Leg, LexicalLeg } from './legs.ts';
import { raiseSaid } from './retold.ts';
import { type SessionLeg, sessionLeg } from './session-leg.ts';
import type { SearchSettings } from './shapes.ts';
import { sharesFor } from './shares.ts';
import { successorsOf, supersessionFactors } from './supersession.ts';
import { raiseVerbatim } from './verbatim.ts';

/** A summary with every number behind its rank. */
export interface Ranked {
  readonly place: CallPosition;
  /** 1 = best; null when no leg found it. */
  readonly rank: number | null;
  readonly score: number;
  readonly bm25: Part;
  readonly vector: Part;
  readonly session: Part;
  /** What was said in the turn of a call. */
  readonly talk: Part;
  /** Whether a neighbour in the session has a word of the query. */
  readonly supported: boolean;
  readonly decay: Decay;
  /** What else the sum of the parts is multiplied by, in this order; none of them is 1. */
  readonly factors: readonly Factor[];
  readonly supersededBy: number | null;
  /** Of equal results, of which this is the newest. */
  readonly count: number;
  /** The newer equal result that is shown for this one. */
  readonly equalTo: number | null;
}

export interface Part {
  readonly found: (Omit<Candidate, 'rank'> & { readonly rank: number | null }) | null;
  readonly contribution: number;
}

export interface Legs {
  readonly bm25: LexicalLeg;
  readonly vector: Leg;
  /** Only of a question about a date alone. */
  readonly time?: SessionLeg;
}

/** The parts of a request that rank hits of all legs. */
export interface RankingContext {
  readonly reading: Reading;
  /** The clock of the decay, milliseconds since 1970. */
  readonly asOfMs: number;
  /** How many results are wanted. */
  readonly shown: number;
  readonly settings: SearchSettings;
}

export interface Ranking {
  /** Best first. */
  readonly ranked: readonly Ranked[];
  /** Every leg by its name. */
  readonly legs: Readonly<Record<'bm25' | 'vector' | 'session', Leg>>;
  /** Results for which a newer equal one is shown, by id. They have no rank. */
  readonly folded: ReadonlyMap<number, Ranked>;
  /** The numbers of a summary outside all legs. */
  notFound(place: CallPosition): Ranked;
}

/**
 * The candidates of all legs, best first: the sum of their contributions, by rank (reciprocal rank fusion, Cormack, Clarke, Buettcher
 * 2009: weight / (k + rank)) or by score, times decay and factors. Equal scores: the newer first, then the higher id.
 */
export function rankAll(store: SearchReads, legs: Legs, rankingContext: RankingContext): Ranking {
  const { bm25, vector, time } = legs;
  const ids = [...new Set([bm25, vector, time].flatMap((leg) => [...(leg?.found.keys() ?? [])]))];
  const places = store.places(ids);
  const weightOf = (place: CallPosition) =>
    kindFactor(place.isRetold ? { ...place, kind: 'session' } : place, rankingContext.reading).value;
  const session = time ?? sessionLeg(store, bm25, places, weightOf, sharesFor(rankingContext.reading));
  const all = { bm25, vector, session };
  const numbersOf = (place: CallPosition) => measure(place, all, rankingContext);
  const candidates = places.map(numbersOf);
  const successors = successorsOf(
    store,
    candidates.map(({ place }) => place.id),
  );
  const { shown, folded } = foldEqual(
    store,
    (successors.size === 0 ? candidates : superseding(candidates, successors)).sort(byScore),
    rankingContext.shown,
  );
  const amended = [...raiseAmending(store, shown.sort(byScore))].sort(byScore);
  const said = [...raiseSaid(amended)].sort(byScore);
  const ranked = [...raiseVerbatim(store, said, rankingContext.reading)].sort(byScore);
  for (const [at, candidate] of ranked.entries()) candidate.rank = at + 1;
  return { ranked, folded, legs: all, notFound: numbersOf };
}

/** The lexical score, with the neighbours' where there is one, times the factors of the rank. Scores of two memories come from ranks, and do not compare. */
export function fitOf({ bm25, session, talk, score }: Ranked): number {
  const sum = bm25.contribution + session.contribution + talk.contribution;
  const factors = sum > 0 ? score / sum : 1;
  return ((bm25.found?.measure ?? 0) + (session.found?.measure ?? 0)) * factors + score;
}

function superseding(
  candidates: readonly Measured[],
  successors: ReadonlyMap<number, readonly number[]>,
): Measured[] {
  const scores = new Map(candidates.map(({ place, score }) => [place.id, score]));
  const factors = supersessionFactors(scores, successors);
  return candidates.map((candidate) => {
    const value = factors.get(candidate.place.id) ?? 1;
    const supersededBy = successors.get(candidate.place.id)?.[0] ?? null;
    if (value === 1 && supersededBy === null) return candidate;
    const words = 'replaces a memory that matches better';
    return times({ ...candidate, supersededBy }, { name: 'supersedes', value, words });
  });
}

/** Gets its rank after sorting, in place: each search makes hundreds. */
interface Measured extends Omit<Ranked, 'rank'> {
  rank: number | null;
}

/** The numbers of one summary, before supersession and without a rank. */
function measure(
  place: CallPosition,
  legs: Legs & { readonly session: SessionLeg },
  rankingContext: RankingContext,
): Measured {
  const { reading, asOfMs, settings } = rankingContext;
  const bm25 = partOf(legs.bm25, place.id, settings.rrfK);
  const vector = partOf(legs.vector, place.id, settings.rrfK);
  const { session, talk } = sessionParts(legs.session, place.id, settings.rrfK);
  // Some plain words are a question as often as a change.
  const isOfAnyAge = reading.looksBack || reading.intent === 'words';
  const decay = decayOf(place, asOfMs, isOfAnyAge ? tieBreaking(settings) : settings);
  const sum = bm25.contribution + vector.contribution + session.contribution + talk.contribution;
  const factors = [intentFactor(reading, place.tool), kindFactor(place, reading)].filter(
    ({ value }) => value !== 1,
  );
  const score = factors.reduce((product, { value }) => product * value, sum * decay.factor);
  const supported = legs.session.supported.has(place.id);
  // One literal, not copies of copies: a search makes hundreds.
  return {
    place,
    rank: null,
    score,
    factors,
    bm25,
    vector,
    session,
    talk,
    decay,
    supported,
    supersededBy: null,
    count: 1,
    equalTo: null,
  };
}

/** Decay that only breaks ties: what a question asks about may be of any age. */
function tieBreaking(settings: SearchSettings): SearchSettings {
  return { ...settings, decayFloor: 1 - (1 - settings.decayFloor) * lookedBackDecay };
}

/** Less decay for all queries lowers commits and prompts (docs/research). */
const lookedBackDecay = 0.05;

function partOf(leg: Leg, id: number, rrfK: number): Part {
  const found = leg.found.get(id);
  if (found === undefined) return noPart;
  const { rank, share } = found;
  return {
    found,
    contribution: share === undefined ? leg.weight / (rrfK + rank) : (leg.weight * share) / (rrfK + 1),
  };
}

const noPart: Part = { found: null, contribution: 0 };

/**
 * In proportion to the leg's measure; the best gets what a first rank is worth. Ranks alone span too little: a month's decay of a
 * few per cent would outweigh five ranks at the top.
 */
function sessionParts(leg: SessionLeg, id: number, rrfK: number): Pick<Ranked, 'session' | 'talk'> {
  const found = leg.found.get(id) ?? null;
  const said = leg.talk.get(id) ?? 0;
  const contributionOf = (measure: number): number =>
    leg.best === 0 ? 0 : (leg.weight * measure) / leg.best / (rrfK + 1);
  return {
    session: found === null ? noPart : { found, contribution: contributionOf(found.measure - said) },
    talk: said > 0 ? { found: { rank: null, measure: said }, contribution: contributionOf(said) } : noPart,
  };
}

/** Best first; of equal scores the newer first, then the higher id. */
export function byScore(a: Pick<Ranked, 'place' | 'score'>, b: Pick<Ranked, 'place' | 'score'>): number {
  return b.score - a.score || compareText(b.place.ts, a.place.ts) || b.place.id - a.place.id;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
