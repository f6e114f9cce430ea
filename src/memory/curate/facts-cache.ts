import { messageOf } from '../../core/platform/index.ts';
import type { Curable } from '../store/index.ts';
import { bareFactsOf, type Facts, factsOf } from './facts.ts';

const curateFactsMax = 1_024;

/** The facts of the summaries used last: neighbours are asked for again and again, and reading a payload costs. */
export class FactsCache {
  readonly #facts = new Map<number, Facts>();
  readonly #read: (ids: readonly number[]) => readonly Curable[];
  readonly #unreadable: (id: number, error: string) => void;

  constructor(
    read: (ids: readonly number[]) => readonly Curable[],
    unreadable: (id: number, error: string) => void,
  ) {
    this.#read = read;
    this.#unreadable = unreadable;
  }

  put(row: Curable): Facts {
    const facts = this.#factsOf(row);
    this.#keep(facts);
    return facts;
  }

  /** The facts of those of `ids` that are there, in any order. */
  get(ids: readonly number[]): Facts[] {
    const known = ids.flatMap((id) => {
      const facts = this.#facts.get(id);
      if (facts === undefined) return [];
      this.#keep(facts);
      return [facts];
    });
    const missing = ids.filter((id) => !this.#facts.has(id));
    return missing.length === 0 ? known : [...known, ...this.#read(missing).map((row) => this.put(row))];
  }

  /** Whatever is wrong with one call must not hold up those behind it. */
  #factsOf(row: Curable): Facts {
    try {
      return factsOf(row);
    } catch (error) {
      this.#unreadable(row.id, messageOf(error));
      return bareFactsOf(row);
    }
  }

  #keep(facts: Facts): void {
    this.#facts.delete(facts.id);
    this.#facts.set(facts.id, facts);
    const [oldest] = this.#facts.keys();
    if (this.#facts.size > curateFactsMax && oldest !== undefined) this.#facts.delete(oldest);
  }
}
