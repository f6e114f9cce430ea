import type { CallPosition } from '#memory/store';

/** The names are part of the wire format. */
export interface Factor {
  readonly name: 'wish' | 'kind' | 'supersedes' | 'equal' | 'gone' | 'amends' | 'retold' | 'verbatim';
  readonly value: number;
  /** For `why`: a clause without the value. */
  readonly words: string;
}

interface Multiplied {
  readonly score: number;
  readonly factors: readonly Factor[];
}

export interface Scored extends Multiplied {
  readonly place: CallPosition;
}

/** `one` with a further factor. */
export function times<R extends Multiplied>(one: R, factor: Factor): R {
  if (factor.value === 1) return one;
  return { ...one, score: one.score * factor.value, factors: [...one.factors, factor] };
}

/** How far a summary ends above those that it is raised above: more than rounding, but small, since chains multiply it. */
export const step = 1.0001;
