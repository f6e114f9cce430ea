import { setImmediate } from 'node:timers/promises';
import { curateQuietMs, evidenceCharsMax } from '../../core/limits.ts';
import type { CandidatePair, Edge, Store } from '../store/index.ts';
import { type Asked, type Asking, askWaiting, isAsked } from './asking.ts';
import { reasonFor } from './candidates.ts';
import type { Facts } from './facts.ts';
import { FactsCache } from './facts-cache.ts';
import { keysOf } from './keys.ts';
import { type Pair, rules, type Surroundings } from './rules/index.ts';

const curatePassMax = 100_000;
const curateBatchMax = 24;
export const curateNeighboursMax = 12;
const curateCandidatesMax = 48;
const curateBetweenMax = 24;
const pairsPerSummaryMax = 2;
const pairsWaitingMax = 2_000;

export interface CurateOptions {
  readonly store: Store;
  readonly signal: AbortSignal;
  /** Told of calls that could not be read, and of what a model could not answer. */
  readonly report: (message: string, fields: Readonly<Record<string, string | number>>) => void;
  /** Whom to ask about pairs that no rule decides; null: nobody, and they wait. */
  readonly asking?: Asking | null;
}

export interface CurateResult {
  /** Summaries looked at. */
  readonly curated: number;
  /** New edges, by rules. */
  readonly edges: number;
  /** What came of asking, where there was somebody to ask. */
  readonly asked?: Asked;
}

/**
 * Looks at each summary that nobody has looked at: notes what it is about, compares it with its neighbours about the
 * same things, and stores what the rules find as edges from the newer to the older, and what they leave open as doubts. A
 * short transaction a batch, and between two of them whoever else waits for the thread has it. What was stored stays when
 * the signal ends it. Then asks about the most telling doubts, a bounded number of them.
 */
export async function curate(options: CurateOptions): Promise<CurateResult> {
  const { asking = null, signal } = options;
  const byRules = await curateByRules(options);
  if (asking === null || signal.aborted) return byRules;
  return { ...byRules, asked: await askWaiting(options, asking) };
}

async function curateByRules({ store, signal, report }: CurateOptions): Promise<CurateResult> {
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
      const compared = this.#compare(facts, telling);
      edges += this.#store.edges.add(compared.edges);
      const unclear = keys.flatMap(({ key, isCandidate }) => (isCandidate ? [key] : []));
      this.#store.candidatePairs.add(this.#doubtsOf(facts, compared, unclear));
      this.#store.subjects.save(id, keys);
    }
    this.#store.candidatePairs.trim(pairsWaitingMax);
    return { curated: rows.size, edges };
  }

  #compare(facts: Facts, keys: readonly number[]): Compared {
    const near = this.#neighbours(facts, keys);
    const edges: Edge[] = [];
    const undecided: Pair[] = [];
    const judge = (pair: Pair): Edge | null => {
      const edge = this.#judge(pair);
      if (edge === null) undecided.push(pair);
      else edges.push(edge);
      return edge;
    };
    const older = near.filter((one) => byTime(one, facts) < 0);
    for (const one of older.reverse()) judge({ older: one, newer: facts });
    // What replaces `facts`, which came late: the nearest that does.
    for (const one of near.filter((other) => byTime(other, facts) > 0)) {
      if (judge({ older: facts, newer: one })?.kind === 'supersedes') break;
    }
    return { edges, undecided };
  }

  /** The most telling of what the rules leave open about `facts`, of these what lies nearest in time. */
  #doubtsOf(facts: Facts, { edges, undecided }: Compared, keys: readonly number[]): CandidatePair[] {
    const replaced = new Set(edges.flatMap(({ kind, to }) => (kind === 'supersedes' ? [to] : [])));
    if (replaced.has(facts.id)) return [];
    const known = new Set([...undecided.flatMap(({ older, newer }) => [older.id, newer.id]), facts.id]);
    const open = undecided.filter(({ older }) => !replaced.has(older.id));
    for (const one of keys.length === 0 ? [] : this.#neighbours(facts, keys)) {
      if (known.has(one.id) || edges.some(({ from, to }) => from === one.id || to === one.id)) continue;
      const pair = byTime(one, facts) < 0 ? { older: one, newer: facts } : { older: facts, newer: one };
      // What the rules would decide if they looked so far is no doubt.
      if (this.#judge(pair) === null) open.push(pair);
    }
    const candidatePairs = open.flatMap((pair) => {
      const reason = reasonFor(pair);
      if (reason === null) return [];
      const apartMs = Date.parse(pair.newer.ts) - Date.parse(pair.older.ts);
      return [{ from: pair.newer.id, to: pair.older.id, weight: reason.weight, apartMs }];
    });
    candidatePairs.sort((a, b) => b.weight - a.weight || a.apartMs - b.apartMs);
    return candidatePairs.slice(0, pairsPerSummaryMax);
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
    for (const { from, to, ts, evidence } of this.#store.edges.superseding(others)) {
      // What a model said hides nothing from the rules.
      if (isAsked(evidence)) continue;
      if (ts < facts.ts || (ts === facts.ts && from < facts.id)) replaced.add(to);
    }
    const left = others.filter((id) => !replaced.has(id));
    left.sort((a, b) => Math.abs(a - facts.id) - Math.abs(b - facts.id));
    return this.#facts.get(left.slice(0, curateCandidatesMax)).sort(byTime);
  }

  #judge(pair: Pair): Edge | null {
    const { older, newer } = pair;
    const around: Surroundings = {
      between: () => this.#between(older, newer),
      sideBySide: () => this.#store.subjects.hadBegun(newer.sessionId, older.ts),
    };
    for (const rule of Object.values(rules)) {
      const found = rule(pair, around);
      if (found === null) continue;
      const evidence = found.evidence.slice(0, evidenceCharsMax);
      return { from: newer.id, to: older.id, kind: found.kind, evidence, ts: newer.ts };
    }
    return null;
  }

  #between(older: Facts, newer: Facts): readonly Facts[] | null {
    if (Date.parse(newer.ts) - Date.parse(older.ts) > curateQuietMs) return null;
    const ids = this.#store.subjects.between(older.ts, newer.ts, curateBetweenMax + 1);
    return ids.length > curateBetweenMax ? null : this.#facts.get(ids);
  }
}

/** What the rules made of the pairs of one summary. */
interface Compared {
  readonly edges: readonly Edge[];
  readonly undecided: readonly Pair[];
}

function byTime(a: Facts, b: Facts): number {
  if (a.ts !== b.ts) return a.ts < b.ts ? -1 : 1;
  return a.id - b.id;
}
