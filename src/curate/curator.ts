import { setImmediate } from 'node:timers/promises';
import {
  curateBatchMax,
  curateBetweenMax,
  curateCandidatesMax,
  curateNeighboursMax,
  curatePassMax,
  curateQuietMs,
  evidenceCharsMax,
} from '../limits.ts';
import type { Edge, Store } from '../store/index.ts';
import { type Facts, keysOf } from './facts.ts';
import { FactsCache } from './facts-cache.ts';
import { rules, type Surroundings } from './rules/index.ts';

export interface CurateOptions {
  readonly store: Store;
  readonly signal: AbortSignal;
  /** Told of calls that could not be read. */
  readonly report: (message: string, fields: Readonly<Record<string, string | number>>) => void;
}

export interface CurateResult {
  /** Summaries looked at. */
  readonly curated: number;
  /** New edges. */
  readonly edges: number;
}

/**
 * Looks at each summary that nobody has looked at: notes what it is about, compares it with its neighbours about the
 * same things, and stores what the rules find as edges from the newer to the older. A short transaction a batch, and
 * between two of them whoever else waits for the thread has it. What was stored stays when the signal ends it.
 */
export async function curate({ store, signal, report }: CurateOptions): Promise<CurateResult> {
  const pass = new Pass(store, report);
  let curated = 0;
  let edges = 0;
  for (let before = -1; before < curated; ) {
    before = curated;
    const ids = store.subjects.uncurated(curatePassMax);
    for (let at = 0; at < ids.length; at += curateBatchMax) {
      if (signal.aborted) return { curated, edges };
      const batch = ids.slice(at, at + curateBatchMax);
      const done = store.connection.transaction(() => pass.take(batch));
      curated += done.curated;
      edges += done.edges;
      await setImmediate();
    }
  }
  return { curated, edges };
}

/** One run over what is not curated yet. */
class Pass {
  readonly #store: Store;
  readonly #facts: FactsCache;

  constructor(store: Store, report: CurateOptions['report']) {
    this.#store = store;
    this.#facts = new FactsCache(
      (ids) => store.subjects.curable(ids),
      (id, error) => report('a call could not be curated', { id, error }),
    );
  }

  /** Within a transaction: what one batch stores, the next one, also another process's, finds. */
  take(ids: readonly number[]): CurateResult {
    const rows = new Map(this.#store.subjects.curable(ids, true).map((row) => [row.id, row]));
    let edges = 0;
    for (const id of ids) {
      const row = rows.get(id);
      if (row === undefined) continue;
      const facts = this.#facts.put(row);
      const keys = keysOf(facts);
      const telling = keys.flatMap(({ key, isTelling }) => (isTelling ? [key] : []));
      edges += this.#store.edges.add(this.#edgesOf(facts, telling));
      this.#store.subjects.save(id, keys);
    }
    return { curated: rows.size, edges };
  }

  #edgesOf(facts: Facts, keys: readonly number[]): Edge[] {
    const near = this.#neighbours(facts, keys);
    const older = near.filter((one) => byTime(one, facts) < 0).reverse();
    const newer = near.filter((one) => byTime(one, facts) > 0);
    return [...older.flatMap((one) => this.#judge(one, facts)), ...this.#fromNewer(facts, newer)];
  }

  /** Those that share a key with `facts` and may have to do with it, by time. */
  #neighbours(facts: Facts, keys: readonly number[]): Facts[] {
    const { subjects } = this.#store;
    const around = keys.flatMap((key) => subjects.near(key, facts.id, curateNeighboursMax));
    const near = this.#notReplaced(facts, around);
    // What came before and is later in time shows that these events came late: they belong before the first ones, too.
    if (!near.some((one) => one.id < facts.id && byTime(one, facts) > 0)) return near;
    const first = keys.flatMap((key) => subjects.first(key, curateNeighboursMax));
    return this.#notReplaced(facts, [...around, ...first]);
  }

  /**
   * Of `ids` the nearest, without those that something no newer than `facts` has replaced: they are linked to that, and
   * through it to whatever replaces it. So a chain has as many edges as links.
   */
  #notReplaced(facts: Facts, ids: readonly number[]): Facts[] {
    const others = [...new Set(ids)].filter((id) => id !== facts.id);
    const replaced = new Set<number>();
    for (const { from, to, ts } of this.#store.edges.superseding(others)) {
      if (ts < facts.ts || (ts === facts.ts && from < facts.id)) replaced.add(to);
    }
    const left = others.filter((id) => !replaced.has(id));
    left.sort((a, b) => Math.abs(a - facts.id) - Math.abs(b - facts.id));
    return this.#facts.get(left.slice(0, curateCandidatesMax)).sort(byTime);
  }

  /** What replaces `facts`, which came late: the nearest that does. */
  #fromNewer(facts: Facts, newer: readonly Facts[]): Edge[] {
    const found: Edge[] = [];
    for (const one of newer) {
      found.push(...this.#judge(facts, one));
      if (found.at(-1)?.kind === 'supersedes') break;
    }
    return found;
  }

  #judge(older: Facts, newer: Facts): Edge[] {
    const around: Surroundings = {
      between: () => this.#between(older, newer),
      sideBySide: () => this.#store.subjects.hadBegun(newer.sessionId, older.ts),
    };
    for (const rule of Object.values(rules)) {
      const found = rule({ older, newer }, around);
      if (found === null) continue;
      const evidence = found.evidence.slice(0, evidenceCharsMax);
      return [{ from: newer.id, to: older.id, kind: found.kind, evidence, ts: newer.ts }];
    }
    return [];
  }

  #between(older: Facts, newer: Facts): readonly Facts[] | null {
    if (Date.parse(newer.ts) - Date.parse(older.ts) > curateQuietMs) return null;
    const ids = this.#store.subjects.between(older.ts, newer.ts, curateBetweenMax + 1);
    return ids.length > curateBetweenMax ? null : this.#facts.get(ids);
  }
}

function byTime(a: Facts, b: Facts): number {
  if (a.ts !== b.ts) return a.ts < b.ts ? -1 : 1;
  return a.id - b.id;
}
