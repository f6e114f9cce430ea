import type { Occurrences, SearchReads } from '#memory/store';
import type { LexicalLeg } from './legs.ts';

export interface Counted extends Occurrences {
  /** The places in `counts` of the terms that occur: few of many. */
  readonly occurring: readonly number[];
}

/** The counts of a query's terms by index row. */
export type Counting = ReadonlyMap<number, Counted>;

/** Reads the rows of all candidates once, for all parts of a leg. */
export function countingOnce(store: SearchReads, { found, terms }: LexicalLeg): Counting {
  const rows = [...found.values()].flatMap(({ rows: ofOne = [] }) => ofOne);
  const counting = new Map<number, Counted>();
  for (const { id, counts, length } of store.occurrences(rows, terms)) {
    const occurring: number[] = [];
    for (let at = 0; at < counts.length; at++) if ((counts[at] ?? 0) > 0) occurring.push(at);
    counting.set(id, { id, counts, length, occurring });
  }
  return counting;
}
