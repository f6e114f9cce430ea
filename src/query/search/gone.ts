import { type State, type States, stateBudgetMs } from '#query/state';
import { type Factor, times } from './factor.ts';
import { byScore, type Ranked } from './rank.ts';
import type { SearchRequest } from './shapes.ts';

/** An edit of which nothing is left answers what was, seldom what is. */
const gone: Factor = { name: 'gone', value: 0.7, words: 'gone from the working tree' };
const roundsMax = 3;
const keptMs = 60_000;
const keptMax = 64;

interface Stated {
  readonly shown: readonly Ranked[];
  readonly states: ReadonlyMap<number, State>;
  readonly lowered: ReadonlySet<number>;
}

/**
 * The best `count` with their states. What is gone is lowered, and what then comes up is checked as well, all within the time for
 * the states of one answer.
 */
export async function withStates(
  ranked: readonly Ranked[],
  count: number,
  checker: Pick<States, 'of' | 'hasFiles'>,
): Promise<Stated> {
  const until = performance.now() + stateBudgetMs;
  const states = new Map<number, State>();
  const lowered = new Set<number>();
  let order = ranked;
  for (let round = 0; round < roundsMax; round += 1) {
    const ids = order.slice(0, count).map(({ place }) => place.id);
    const asked = ids.filter((id) => !states.has(id));
    const leftMs = until - performance.now();
    if (asked.length === 0 || leftMs < 1) break;
    const found = await checker.of(asked, leftMs);
    for (const [id, state] of found) states.set(id, state);
    const lost = asked.filter((id) => found.get(id)?.verdict === 'gone');
    if (lost.length === 0 || !checker.hasFiles()) break;
    for (const id of lost) lowered.add(id);
    order = lowerGone(ranked, lowered);
  }
  return { shown: order.slice(0, count), states, lowered };
}

/** The order with the memories of `lowered` lowered. What supersedes another stays above it. */
export function lowerGone(ranked: readonly Ranked[], lowered: ReadonlySet<number>): readonly Ranked[] {
  if (lowered.size === 0) return ranked;
  const successors = new Set(ranked.map(({ supersededBy }) => supersededBy));
  return ranked
    .map((one) => {
      const { id } = one.place;
      const isAbove = successors.has(id) || one.factors.some(({ name }) => name === 'supersedes');
      return lowered.has(id) && !isAbove ? times(one, gone) : one;
    })
    .sort(byScore)
    .map((one, at) => (one.rank === at + 1 ? one : { ...one, rank: at + 1 }));
}

/** What the last searches lowered, so that `why` explains the order that was given. */
export class LoweredHits {
  readonly #now: () => number;
  readonly #kept = new Map<string, { readonly atMs: number; readonly ids: ReadonlySet<number> }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  keep(request: SearchRequest, ids: ReadonlySet<number>): void {
    const key = keyOf(request);
    this.#kept.delete(key);
    this.#kept.set(key, { atMs: this.#now(), ids });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > keptMax && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** Null when the request is unknown or more than a minute old. */
  of(request: SearchRequest): ReadonlySet<number> | null {
    const kept = this.#kept.get(keyOf(request));
    return kept !== undefined && this.#now() - kept.atMs < keptMs ? kept.ids : null;
  }
}

/** Every part of a request that its answer depends on. What is not given and what is off are the same. */
function keyOf(request: SearchRequest): string {
  return JSON.stringify(parts.map((name) => request[name] || null));
}

const parts = [
  ...(['query', 'topK', 'skip', 'session', 'tool', 'kinds', 'since', 'until'] as const),
  ...(['file', 'failed', 'client', 'anytime', 'asOf', 'cwd'] as const),
];
