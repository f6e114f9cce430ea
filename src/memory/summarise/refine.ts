import type { Refinable } from '#memory/store';
import { type DrainOptions, type DrainResult, type Rows, work } from './drain.ts';

/**
 * Replaces at most `limit` (null: all) summaries of the builtin summariser with those of the chosen backend; id, pin and edges
 * stay. Newest first, since mostly recent ones are searched. A row that fails `attemptsMax` times keeps its summary; an outage
 * counts against no row.
 */
export function refine(options: DrainOptions, limit: number | null): Promise<DrainResult> {
  return work(options, builtinRows(options), limit);
}

function builtinRows({ store, owner, attemptsMax }: DrainOptions): Rows {
  let behind: Refinable | null = null;
  return {
    take: (limit) => {
      const claimed = store.events.claimBuiltin(owner, behind, attemptsMax, limit, Date.now());
      behind = claimed.at(-1) ?? behind;
      return claimed;
    },
    keep: (finished) => store.summaries.refine(owner, finished),
    fail: (seq, error) => store.events.failRefinement(owner, seq, error, attemptsMax) === 'given up',
    givenUp: 'summary not refined',
    stopped: 'refining stopped by an outage',
  };
}
