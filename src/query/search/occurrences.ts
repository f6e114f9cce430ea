import type { Occurrences, SearchReads } from '../../memory/store/index.ts';
import type { LexicalLeg } from './legs.ts';

/** The counts of a query's terms in index rows, in any order. */
export type Counting = (rows: readonly number[]) => readonly Occurrences[];

/** Reads the rows of all candidates once, for all parts of a leg. */
export function countingOnce(store: SearchReads, { found, terms }: LexicalLeg): Counting {
  const rows = [...found.values()].flatMap((candidate) => candidate.rows ?? []);
  const known = new Map(store.occurrences(rows, terms).map((one) => [one.id, one]));
  return (asked) => asked.flatMap((row) => known.get(row) ?? []);
}
