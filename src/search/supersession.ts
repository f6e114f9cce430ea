import { supersessionDepthMax } from '../limits.ts';
import type { SearchStore, Supersession } from './store-port.ts';

/**
 * What replaced each of `ids`, directly or through others, also through summaries that were not found
 * themselves: for each older id the newer ones next to it in the chain.
 */
export function successorsOf(store: SearchStore, ids: readonly number[]): Map<number, number[]> {
  const successors = new Map<number, number[]>();
  const seen = new Set(ids);
  let border: readonly number[] = ids;
  for (let depth = 0; depth < supersessionDepthMax && border.length > 0; depth++) {
    const edges: Supersession[] = store.supersededBy(border);
    const next = new Set<number>();
    for (const { older, newer } of edges) {
      successors.set(older, [...(successors.get(older) ?? []), newer]);
      if (!seen.has(newer)) next.add(newer);
    }
    for (const id of next) seen.add(id);
    border = [...next];
  }
  // The highest id first: which edge is met first must not hang on the order the database gives them.
  for (const list of successors.values()) list.sort((a, b) => b - a);
  return successors;
}

/**
 * For each candidate the factor that puts it below every candidate that supersedes it, 1 where it is below
 * anyhow. `scores` are the scores without this factor. A circle of edges (which nobody should have made) is cut
 * where it is entered from the highest id.
 */
export function supersessionFactors(
  scores: ReadonlyMap<number, number>,
  successors: ReadonlyMap<number, readonly number[]>,
): Map<number, number> {
  const factors = new Map<number, number>();
  // The lowest final score among a summary and all that supersede it; Infinity when none of them was found.
  const ceilings = new Map<number, number>();
  const open = new Set<number>();
  const ceilingOf = (id: number): number => {
    const known = ceilings.get(id);
    if (known !== undefined) return known;
    open.add(id);
    let above = Number.POSITIVE_INFINITY;
    for (const newer of successors.get(id) ?? [])
      if (!open.has(newer)) above = Math.min(above, ceilingOf(newer));
    open.delete(id);
    const score = scores.get(id);
    let ceiling = above;
    if (score !== undefined) {
      const factor = score > 0 ? Math.min(1, (above / score) * step) : 1;
      factors.set(id, factor);
      ceiling = Math.min(above, score * factor);
    }
    ceilings.set(id, ceiling);
    return ceiling;
  };
  for (const id of [...scores.keys()].sort((a, b) => b - a)) ceilingOf(id);
  return factors;
}

/** A superseded summary ends this close below its successor, clear of any rounding. */
const step = 0.99;
