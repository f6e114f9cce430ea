import type { Leg, Status, Why } from '../shapes.ts';

export interface LegReading {
  readonly key: string;
  readonly name: string;
  readonly rank: number | null;
  /** What the leg measured, in its own unit, in words. */
  readonly measure: string;
  readonly contribution: number;
}

export interface FactorReading {
  readonly name: string;
  readonly value: number;
}

export interface DecaySettings {
  readonly halfLifeDays: number;
  readonly floor: number;
}

/** The legs that are added, in the order in which the picture shows them. */
export function legsOf(why: Why): LegReading[] {
  const { bm25, vector, legs = {} } = why;
  const cosine = vector.similarity === null ? '' : `cosine ${vector.similarity.toFixed(3)}`;
  return [
    leg('bm25', 'words', bm25, bm25.score == null ? '' : `BM25 ${bm25.score.toFixed(2)}`),
    leg('vector', 'meaning', vector, cosine),
    ...Object.entries(legs).map(([key, given]) =>
      leg(key, key, given, given.score == null ? '' : `score ${given.score.toFixed(2)}`),
    ),
  ];
}

function leg(key: string, name: string, { rank, contribution }: Leg, measure: string): LegReading {
  return { key, name, rank, measure, contribution };
}

/** What multiplies the sum: the decay first. */
export function factorsOf(why: Why): FactorReading[] {
  return [
    { name: 'decay', value: why.decay.factor },
    ...Object.entries(why.factors ?? {}).map(([name, value]) => ({ name, value })),
  ];
}

export function sumOf(legs: readonly LegReading[]): number {
  return legs.reduce((sum, { contribution }) => sum + contribution, 0);
}

/** Sum times factors, to compare with the score that the daemon gave. */
export function scoreOf(why: Why): number {
  return factorsOf(why).reduce((score, { value }) => score * value, sumOf(legsOf(why)));
}

/** Null until the daemon has sent its ranking settings. */
export function decaySettings(status: Status | null): DecaySettings | null {
  const search = status?.search ?? null;
  return search === null ? null : { halfLifeDays: search.halfLifeDays, floor: search.decayFloor };
}

/** `floor + (1 - floor) * 2^(-age / halfLife)` (CONTRACT 6); a half-life of 0 is no decay. */
export function decayAt(ageDays: number, { halfLifeDays, floor }: DecaySettings): number {
  return floor + (1 - floor) * leftAt(ageDays, halfLifeDays);
}

/** The floor that gave the factor: a query that looks back fades less than the settings say. */
export function floorOf(
  { ageDays, factor, pinned }: Why['decay'],
  { halfLifeDays, floor }: DecaySettings,
): number {
  const left = leftAt(ageDays, halfLifeDays);
  return pinned || left > 0.999 ? floor : Math.round(1000 * ((factor - left) / (1 - left))) / 1000;
}

/** `2^(-age / halfLife)` */
function leftAt(ageDays: number, halfLifeDays: number): number {
  return halfLifeDays <= 0 ? 1 : 2 ** (-Math.max(0, ageDays) / halfLifeDays);
}

/** Why it stands where it stands, for who does not want figures. */
export function sentence(why: Why): string {
  const found = legsOf(why).filter(({ rank }) => rank !== null);
  if (why.rrf.rank === null || found.length === 0) return 'This query does not find this memory.';
  const words = (why.bm25.terms ?? []).slice(0, wordsMax).map(({ word }) => `“${word}”`);
  const reasons = found.map(({ key, name }) =>
    key === 'bm25' && words.length > 0 ? `it has ${listed(words)}` : (legWords[key] ?? `it fits by ${name}`),
  );
  const changes = [
    ...(why.decay.factor < 1 - shownChange ? ['its age lowers it'] : []),
    ...(why.decay.pinned ? ['it is pinned, so its age does not count'] : []),
    ...Object.entries(why.factors ?? {}).flatMap(([name, value]) =>
      Math.abs(value - 1) < shownChange
        ? []
        : [`${factorWords[name] ?? name} ${value > 1 ? 'raises' : 'lowers'} it`],
    ),
  ];
  return `Ranked ${ordinal(why.rrf.rank)}: ${listed([...reasons, ...changes])}.`;
}

const wordsMax = 6;
/** A smaller change moves nothing that a reader sees. */
const shownChange = 0.02;

const legWords: Readonly<Record<string, string>> = {
  bm25: 'it has words of the query',
  vector: 'its meaning is near the query',
  session: 'what stands around it fits too',
};

const factorWords: Readonly<Record<string, string>> = {
  wish: 'being the kind of call that the query asks for',
  supersedes: 'replacing a memory that fits better',
  gone: 'being gone',
};

export function ordinal(rank: number): string {
  const ten = Math.floor(rank / 10) % 10;
  const ending = ten === 1 ? 'th' : (['th', 'st', 'nd', 'rd'][rank % 10] ?? 'th');
  return `${rank}${ending}`;
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
