import type { Leg, Status, Why } from '../shapes.ts';

export type LegReading = ReturnType<typeof leg>;

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

/** `measure`: what the leg measured, in its own unit, in words. */
function leg(key: string, name: string, { rank, contribution }: Leg, measure: string) {
  return { key, name, rank, measure, contribution };
}

/** What multiplies the sum: the decay first. */
export function factorsOf(why: Why) {
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

/** `floor + (1 - floor) * 2^(-age / halfLife)`; a half-life of 0 is no decay. */
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
