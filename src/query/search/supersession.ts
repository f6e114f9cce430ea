import type { SearchReads } from '../../memory/store/index.ts';

const supersessionDepthMax = 32;

/**
 * What replaced each of `ids`, directly or through others, also through summaries that were not found
 * themselves: for each older id the newer ones next to it in the chain.
 */
export function successorsOf(store: SearchReads, ids: readonly number[]): Map<number, number[]> {
  const successors = new Map<number, number[]>();
  const seen = new Set(ids);
  let border: readonly number[] = ids;
  for (let depth = 0; depth < supersessionDepthMax && border.length > 0; depth++) {
    const edges = store.supersededBy(border);
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
 * For each candidate the factor that puts it above every candidate that it supersedes, 1 where it is above anyhow. The newer one
 * is lifted, not the older one put down: a pasted stack trace fits the run that failed far better than the one that passes
 * since, and whoever asks wants to see both, the newer first. `scores` are the scores without this factor. A circle of edges
 * (which nobody should have made) is cut where it is entered from the lowest id.
 */
export function supersessionFactors(
  scores: ReadonlyMap<number, number>,
  successors: ReadonlyMap<number, readonly number[]>,
): Map<number, number> {
  const superseded = predecessorsOf(successors);
  const factors = new Map<number, number>();
  // The highest final score among a summary and all that it supersedes; 0 when none of them was found.
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
  for (const id of [...scores.keys()].sort((a, b) => a - b)) heightOf(id);
  return factors;
}

function predecessorsOf(successors: ReadonlyMap<number, readonly number[]>): Map<number, number[]> {
  const predecessors = new Map<number, number[]>();
  for (const [older, newer] of successors) {
    for (const id of newer) predecessors.set(id, [...(predecessors.get(id) ?? []), older]);
  }
  for (const list of predecessors.values()) list.sort((a, b) => a - b);
  return predecessors;
}

/** How far above what it supersedes a summary ends: clear of any rounding, and small, as chains multiply it. */
const step = 1.0001;
