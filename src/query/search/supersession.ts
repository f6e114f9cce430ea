import type { SearchReads } from '#memory/store';
import { step } from './factor.ts';
import { groupedBy } from './groups.ts';

const supersessionDepthMax = 32;

/** The direct successors of `ids` and, step by step, of those successors, whether found or not: older id -> newer ids. */
export function successorsOf(store: SearchReads, ids: readonly number[]): Map<number, number[]> {
  const successors = new Map<number, number[]>();
  const seen = new Set(ids);
  let border: readonly number[] = ids;
  for (let depth = 0; depth < supersessionDepthMax && border.length > 0; depth++) {
    const next = new Set<number>();
    for (const { older, newer } of store.edges.successors(border)) {
      successors.set(older, [...(successors.get(older) ?? []), newer]);
      if (!seen.has(newer)) next.add(newer);
    }
    for (const id of next) seen.add(id);
    border = [...next];
  }
  // The highest id first, whatever the order in the database.
  for (const list of successors.values()) list.sort((a, b) => b - a);
  return successors;
}

/**
 * For each candidate that supersedes another the factor that ranks it above all of those, or 1. The newer one is raised, not the
 * older one lowered: a pasted stack trace fits the failed run much better than the one that passes, and both should show, the newer
 * first. `scores` are without this factor. A cycle of edges is cut where it is entered from the lowest id.
 */
export function supersessionFactors(
  scores: ReadonlyMap<number, number>,
  successors: ReadonlyMap<number, readonly number[]>,
): Map<number, number> {
  const superseded = predecessorsOf(successors);
  const factors = new Map<number, number>();
  // The highest final score among a summary and all that it supersedes; 0 if none is a candidate.
  const heights = new Map<number, number>();
  const open = new Set<number>();
  const heightOf = (id: number): number => {
    const known = heights.get(id);
    if (known !== undefined) return known;
    open.add(id);
    let below = 0;
    for (const older of superseded.get(id) ?? [])
      if (!open.has(older)) below = Math.max(below, heightOf(older));
    open.delete(id);
    const score = scores.get(id);
    let height = below;
    if (score !== undefined) {
      const factor = score > 0 ? Math.max(1, (below / score) * step) : 1;
      factors.set(id, factor);
      height = Math.max(below, score * factor);
    }
    heights.set(id, height);
    return height;
  };
  // What supersedes nothing keeps its score.
  for (const id of [...superseded.keys()].sort((a, b) => a - b)) if (scores.has(id)) heightOf(id);
  return factors;
}

function predecessorsOf(successors: ReadonlyMap<number, readonly number[]>): Map<number, number[]> {
  const edges = [...successors].flatMap(([older, newer]) => newer.map((id) => ({ id, older })));
  const sorted = edges.sort((a, b) => a.older - b.older);
  const groups = [...groupedBy(sorted, ({ id }) => id)];
  return new Map(groups.map(([id, all]) => [id, all.map(({ older }) => older)]));
}
