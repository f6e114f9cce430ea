import { messageOf, rescued } from '#core/platform';
import type { Curable } from '#memory/store';
import { type ComparedCall, comparedCall, comparedWordsOnly } from './compared-call.ts';

const curateFactsMax = 1_024;

/** The facts of the summaries used last. Reading a payload is slow, and neighbours repeat. */
export function comparedCalls(
  read: (ids: readonly number[]) => readonly Curable[],
  unreadable: (id: number, error: string) => void,
) {
  const known = new Map<number, ComparedCall>();
  const keep = (facts: ComparedCall): ComparedCall => {
    known.delete(facts.id);
    known.set(facts.id, facts);
    const [oldest] = known.keys();
    if (known.size > curateFactsMax && oldest !== undefined) known.delete(oldest);
    return facts;
  };
  const put = (row: Curable): ComparedCall => {
    // A call that cannot be read must not block the others.
    const wordsOnly = (error: unknown): ComparedCall => {
      unreadable(row.id, messageOf(error));
      return comparedWordsOnly(row);
    };
    return keep(rescued(() => comparedCall(row), wordsOnly));
  };
  return {
    put,
    /** The facts of the `ids` that exist, in any order. */
    get: (ids: readonly number[]): ComparedCall[] => {
      const found = ids.flatMap((id) => known.get(id) ?? []).map(keep);
      const missing = ids.filter((id) => !known.has(id));
      return missing.length === 0 ? found : [...found, ...read(missing).map(put)];
    },
  };
}
