import { messageOf } from '../../core/platform/index.ts';
import type { Curable } from '../store/index.ts';
import { type ComparedCall, comparedCall, comparedWordsOnly } from './compared-call.ts';

const curateFactsMax = 1_024;

/** The facts of the summaries used last. Reading a payload is slow, and neighbours repeat. */
export class ComparedCalls {
  readonly #facts = new Map<number, ComparedCall>();
  readonly #read: (ids: readonly number[]) => readonly Curable[];
  readonly #unreadable: (id: number, error: string) => void;

  constructor(
    read: (ids: readonly number[]) => readonly Curable[],
    unreadable: (id: number, error: string) => void,
  ) {
    this.#read = read;
    this.#unreadable = unreadable;
  }

  put(row: Curable): ComparedCall {
    const facts = this.#factsOf(row);
    this.#keep(facts);
    return facts;
  }

  /** The facts of the `ids` that exist, in any order. */
  get(ids: readonly number[]): ComparedCall[] {
    const known = ids.flatMap((id) => {
      const facts = this.#facts.get(id);
      if (facts === undefined) return [];
      this.#keep(facts);
      return [facts];
    });
    const missing = ids.filter((id) => !this.#facts.has(id));
    return missing.length === 0 ? known : [...known, ...this.#read(missing).map((row) => this.put(row))];
  }

  /** A call that cannot be read must not block the others. */
  #factsOf(row: Curable): ComparedCall {
    try {
      return comparedCall(row);
    } catch (error) {
      this.#unreadable(row.id, messageOf(error));
      return comparedWordsOnly(row);
    }
  }

  #keep(facts: ComparedCall): void {
    this.#facts.delete(facts.id);
    this.#facts.set(facts.id, facts);
    const [oldest] = this.#facts.keys();
    if (this.#facts.size > curateFactsMax && oldest !== undefined) this.#facts.delete(oldest);
  }
}
