import { setImmediate, setTimeout } from 'node:timers/promises';
import { curateQuietMs, evidenceCharsMax } from '#core/limits';
import type { CandidatePair, Edge, Store } from '#memory/store';
import type { BatchRun } from '#memory/summarise';
import { type Asked, type Asking, askWaiting, isAsked } from './asking.ts';
import { reasonFor } from './candidates.ts';
import { type ComparedCall, comparableIn } from './compared-call.ts';
import { comparedCalls } from './compared-calls.ts';
import { keysOf } from './keys.ts';
import { type Pair, rules, type Surroundings } from './rules/index.ts';

// SQLite's waiting writers look every 100 ms whether the lock is free, and hardly ever meet the moment between two batches: after
// 5 s they fail with `database is locked`.
const withoutPauseMsMax = 1_000;
const pauseMs = 110;
const curatePassMax = 100_000;
const curateBatchMax = 24;
export const curateNeighboursMax = 12;
const curateCandidatesMax = 48;
const curateBetweenMax = 24;
const pairsPerSummaryMax = 2;
const pairsWaitingMax = 2_000;

export interface CurateOptions extends BatchRun {
  /** The judge for pairs that no rule decides; null: these pairs wait. */
  readonly asking?: Asking | null;
  /** Takes how many summaries of a pass are read, and of how many, after each batch. */
  readonly progress?: (done: number, total: number) => void;
}

export interface CurateResult {
  /** Number of summaries read. */
  readonly curated: number;
  /** New edges, by rules. */
  readonly edges: number;
  /** Present when a judge was asked. */
  readonly asked?: Asked;
}

/**
 * Curates each new summary: stores its subjects, compares it with its neighbours on the same subjects, stores edges
 * from the newer to the older, and stores undecided pairs as candidates. Each batch is a short transaction, and the
 * thread is free between batches; now and then the database is free long enough for another process to write. A stop keeps what is stored. Then asks a judge about a bounded number of candidate
 * pairs.
 */
export async function curate(options: CurateOptions): Promise<CurateResult> {
  const { asking = null, signal } = options;
  const byRules = await curateByRules(options);
  if (asking === null || signal.aborted) return byRules;
  return { ...byRules, asked: await askWaiting(options, asking) };
}

async function curateByRules(options: CurateOptions): Promise<CurateResult> {
  const { store, signal, report, yields = () => false, progress } = options;
  const pass = new Pass(store, report);
  let curated = 0;
  let edges = 0;
  let pausedMs = performance.now();
  for (let before = -1; before < curated; ) {
    before = curated;
    const ids = store.subjects.uncurated(curatePassMax);
    for (let at = 0; at < ids.length; at += curateBatchMax) {
      if (signal.aborted || yields()) return { curated, edges };
      const batch = ids.slice(at, at + curateBatchMax);
      const done = store.connection.transaction(() => pass.take(batch));
      curated += done.curated;
      edges += done.edges;
      progress?.(at + batch.length, ids.length);
      await setImmediate();
      if (performance.now() - pausedMs < withoutPauseMsMax) continue;
      await setTimeout(pauseMs);
      pausedMs = performance.now();
    }
  }
  return { curated, edges };
}

class Pass {
  readonly #store: Store;
  readonly #facts: ReturnType<typeof comparedCalls>;

  constructor(store: Store, report: CurateOptions['report']) {
    this.#store = store;
    this.#facts = comparedCalls(
      (ids) => store.subjects.curable(ids),
      (id, error) => report('a call could not be curated', { id, error }),
    );
  }

  /** Runs in a transaction, so the next batch, also of another process, sees the result. */
  take(ids: readonly number[]): CurateResult {
    const rows = new Map(this.#store.subjects.curable(ids, true).map((row) => [row.id, row]));
    let edges = 0;
    for (const id of ids) {
      const row = rows.get(id);
      if (row === undefined) continue;
      if (row.kind === 'message') {
        this.#store.subjects.save(id, [], comparableIn(row));
        continue;
      }
      const facts = this.#facts.put(row);
      const keys = keysOf(facts);
      const telling = keys.flatMap(({ key, isTelling }) => (isTelling ? [key] : []));
      const compared = this.#compare(facts, telling);
      edges += this.#store.edges.add(compared.edges);
      const unclear = keys.flatMap(({ key, isCandidate }) => (isCandidate ? [key] : []));
      this.#store.candidatePairs.add(this.#doubtsOf(facts, compared, unclear));
      this.#store.subjects.save(id, keys, facts.comparable);
    }
    this.#store.candidatePairs.trim(pairsWaitingMax);
    return { curated: rows.size, edges };
  }

  #compare(facts: ComparedCall, keys: readonly number[]): Compared {
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
    // `facts` may have arrived late: the nearest later summary that replaces it.
    for (const one of near.filter((other) => byTime(other, facts) > 0)) {
      if (judge({ older: facts, newer: one })?.kind === 'supersedes') break;
    }
    return { edges, undecided };
  }

  /** The most important pairs that the rules leave open, nearest in time first. */
  #doubtsOf(facts: ComparedCall, { edges, undecided }: Compared, keys: readonly number[]): CandidatePair[] {
    const replaced = new Set(edges.flatMap(({ kind, to }) => (kind === 'supersedes' ? [to] : [])));
    if (replaced.has(facts.id)) return [];
    const known = new Set([...undecided.flatMap(({ older, newer }) => [older.id, newer.id]), facts.id]);
    const open = undecided.filter(({ older }) => !replaced.has(older.id));
    for (const one of keys.length === 0 ? [] : this.#neighbours(facts, keys)) {
      if (known.has(one.id) || edges.some(({ from, to }) => from === one.id || to === one.id)) continue;
      const pair = byTime(one, facts) < 0 ? { older: one, newer: facts } : { older: facts, newer: one };
      // A pair that a rule decides is not a candidate.
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

  /** Summaries that share a key with `facts`, by time. What another author recorded says nothing of those of others. */
  #neighbours(facts: ComparedCall, keys: readonly number[]): ComparedCall[] {
    const { subjects } = this.#store;
    const around = keys.flatMap((key) => subjects.near(key, facts.id, curateNeighboursMax));
    const near = this.#notReplaced(facts, around);
    // A lower id with a later time shows that these events arrived late. They may also belong before the first ones.
    if (!near.some((one) => one.id < facts.id && byTime(one, facts) > 0)) return near;
    const first = keys.flatMap((key) => subjects.first(key, curateNeighboursMax));
    return this.#notReplaced(facts, [...around, ...first]);
  }

  /**
   * The nearest of `ids` that nothing up to `facts` replaces. A replaced summary is linked through its successor, so a
   * chain has one edge per link.
   */
  #notReplaced(facts: ComparedCall, ids: readonly number[]): ComparedCall[] {
    const others = [...new Set(ids)].filter((id) => id !== facts.id);
    const replaced = new Set<number>();
    for (const { from, to, ts, evidence } of this.#store.edges.superseding(others)) {
      // The rules also see what a model replaced.
      if (isAsked(evidence)) continue;
      if (ts < facts.ts || (ts === facts.ts && from < facts.id)) replaced.add(to);
    }
    const left = others.filter((id) => !replaced.has(id));
    left.sort((a, b) => Math.abs(a - facts.id) - Math.abs(b - facts.id));
    const near = this.#facts.get(left.slice(0, curateCandidatesMax)).filter((one) => {
      const [older, newer] = byTime(one, facts) < 0 ? [one, facts] : [facts, one];
      return newer.author === undefined || newer.author === older.author;
    });
    return near.sort(byTime);
  }

  #judge(pair: Pair): Edge | null {
    const { older, newer } = pair;
    const around: Surroundings = {
      between: () => this.#between(older, newer),
      sideBySide: () => this.#store.subjects.hadBegun(newer.sessionId, older.ts),
    };
    for (const rule of rules) {
      const found = rule(pair, around);
      if (found === null) continue;
      const evidence = found.evidence.slice(0, evidenceCharsMax);
      return { from: newer.id, to: older.id, kind: found.kind, evidence, ts: newer.ts };
    }
    return null;
  }

  #between(older: ComparedCall, newer: ComparedCall): readonly ComparedCall[] | null {
    if (Date.parse(newer.ts) - Date.parse(older.ts) > curateQuietMs) return null;
    const ids = this.#store.subjects.between(older.ts, newer, curateBetweenMax + 1);
    return ids.length > curateBetweenMax ? null : this.#facts.get(ids);
  }
}

interface Compared {
  readonly edges: readonly Edge[];
  readonly undecided: readonly Pair[];
}

function byTime(a: ComparedCall, b: ComparedCall): number {
  if (a.ts !== b.ts) return a.ts < b.ts ? -1 : 1;
  return a.id - b.id;
}
