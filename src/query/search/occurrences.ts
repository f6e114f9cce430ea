import type { Occurrences, SearchReads } from '../../memory/store/index.ts';
import type { AskedTerm } from './legs.ts';

/** The counts of a query's terms in index rows, in any order. */
export type Counting = (rows: readonly number[]) => readonly Occurrences[];

/** Reads each row once, however many parts of a leg ask for it. */
export function countingOnce(store: SearchReads, terms: readonly AskedTerm[]): Counting {
  const known = new Map<number, Occurrences | null>();
  return (rows) => {
    const missing = rows.filter((row) => !known.has(row));
    for (const row of missing) known.set(row, null);
    for (const one of missing.length === 0 ? [] : store.occurrences(missing, terms)) known.set(one.id, one);
    return rows.flatMap((row) => known.get(row) ?? []);
  };
}
