import { bm25Share } from '#reading/terms';
import type { AskedTerm } from './legs.ts';
import type { Counted } from './occurrences.ts';

/** A call or message of a session with its counts. */
export interface Entry {
  readonly id: number;
  readonly session: string;
  readonly counted: Counted;
}

/**
 * BM25 of the summed counts of an entry and its neighbours, and of their mean length: the summed length would penalise an entry with many
 * neighbours. One sum is used for all entries: a search has hundreds, each with up to 64 neighbours.
 */
export class SumOfCounts {
  readonly #terms: readonly AskedTerm[];
  readonly #usual: number;
  readonly #times: Float64Array;
  #length = 0;
  #whole = 0;

  constructor(terms: readonly AskedTerm[], usualLength: number) {
    this.#terms = terms;
    this.#usual = Math.max(1, usualLength);
    this.#times = new Float64Array(terms.length);
  }

  start(counted: Counted): void {
    this.#times.fill(0);
    this.#length = 0;
    this.#whole = 0;
    this.#add(counted, 1);
  }

  /** Adds the entries of `session` near its `at`th one, each as `weightOf` both lengths says; whether there was one. */
  addAround(session: readonly Entry[], at: number, { shares, weightOf }: Neighbours = ofCalls): boolean {
    const { id = 0, counted: { length = 0 } = {} } = session[at] ?? {};
    const own = weightOf(length);
    const before = this.#whole;
    for (const step of [-1, 1]) {
      for (let by = at + step, other = session[by]; other !== undefined; by += step, other = session[by]) {
        const share = shares[Math.abs(other.id - id)];
        if (share === undefined) break;
        this.#add(other.counted, share * own * weightOf(other.counted.length));
      }
    }
    return this.#whole > before;
  }

  score(): number {
    const length = this.#length / this.#whole;
    let sum = 0;
    for (const [at, times] of this.#times.entries())
      if (times > 0) sum += bm25Share(this.#terms[at]?.idf ?? 0, times, length, this.#usual);
    return sum;
  }

  #add({ counts, occurring, length }: Counted, share: number): void {
    const times = this.#times;
    this.#length += share * length;
    this.#whole += share;
    for (let at = 0; at < occurring.length; at++) {
      const term = occurring[at] ?? 0;
      times[term] = (times[term] ?? 0) + share * (counts[term] ?? 0);
    }
  }
}

/** What neighbours count, by their distance. */
export interface Neighbours {
  readonly shares: readonly number[];
  readonly weightOf: (length: number) => number;
}

export function sharesBy(share: number, halving: number): number[] {
  return Array.from({ length: distanceMax + 1 }, (_, distance) => share * 2 ** (-distance / halving));
}

const distanceMax = 32;
const ofCalls: Neighbours = { shares: sharesBy(0.3, 8), weightOf: () => 1 };
