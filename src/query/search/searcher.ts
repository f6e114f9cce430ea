import { topKMax } from '#core/limits';
import type { State, States } from '#query/state';
import { askedWords } from '#reading/talk';
import {
  backgroundOf,
  type Candidates,
  gatherCandidates,
  queryEmbedTimeoutMs,
  type SearcherParts,
  skipOf,
} from './candidates.ts';
import { explain } from './explain.ts';
import { LoweredHits, lowerGone, withStates } from './gone.ts';
import { type FoundRow, hitOf, unchecked, withRows } from './hits.ts';
import { fitOf, type Ranked } from './rank.ts';
import { sessionsOf } from './sessions.ts';
import type {
  Explained,
  Fitting,
  Found,
  FoundSessions,
  Hit,
  Limits,
  SearchRequest,
  Why,
  WhyRequest,
} from './shapes.ts';
import { VectorCache } from './vectors.ts';

/**
 * A searcher over one store. Keeps the vectors of the embedder in force in memory. Every search throws a Failure `bad_request` for an
 * invalid time, and for an unknown session, tool or client.
 */
export class Searcher {
  readonly #parts: SearcherParts;
  readonly #states: Pick<States, 'of' | 'hasFiles'>;
  readonly #vectors: VectorCache;
  readonly #lowered: LoweredHits;
  /** The most hits of an answer. */
  readonly #bound: number;

  constructor(parts: SearcherParts) {
    this.#parts = parts;
    this.#states = parts.states ?? noStates;
    this.#vectors = new VectorCache(parts.store);
    this.#lowered = new LoweredHits(parts.now);
    this.#bound = Math.min(parts.settings.topK, topKMax);
  }

  /** Reads what the first search would read. */
  async prepare(): Promise<void> {
    const embedder = await this.#parts.embedder.current(AbortSignal.timeout(queryEmbedTimeoutMs));
    await this.#vectors.indexFor(embedder);
  }

  /** Drops what the next search can read again. */
  rest(): void {
    this.#vectors.drop();
  }

  /** The best `topK` summaries, best first; none for an empty or meaningless query. Equal ones are one. */
  async found(request: SearchRequest): Promise<Found> {
    const candidates = await this.#gather(request);
    const best = await this.#best(candidates, request);
    return { hits: best.map(shownFor(request)), ...this.#limitsOf(candidates, request) };
  }

  /** The same, each hit with its numbers, and the order of every leg. */
  async explained(request: SearchRequest): Promise<Explained> {
    const candidates = await this.#gather(request);
    const shown = shownFor(request);
    const best = await this.#best(candidates, request);
    const order = best.map(({ ranked }) => ranked);
    const hits = best.map((one, at) => ({
      ...shown(one, at),
      why: { ...explain(one.ranked, one.row, backgroundOf(candidates, one.row, order)), state: one.state },
    }));
    const orders = Object.entries(candidates.ranking.legs).map(
      ([name, leg]) => [name, [...leg.found.keys()]] as const,
    );
    return { hits, legs: Object.fromEntries(orders), ...this.#limitsOf(candidates, request) };
  }

  /** The best `topK` sessions with their best moments. */
  async sessions(request: SearchRequest): Promise<FoundSessions> {
    const candidates = await this.#gather(request, Number.POSITIVE_INFINITY);
    const { legs, ranking } = candidates;
    const asked = askedWords(request.query);
    const hitsOf = (moments: readonly Ranked[]) =>
      this.#rowsOf(moments).map((one) => hitOf(one, (one.ranked.rank ?? 1) - 1, asked));
    const limit = this.#limitOf(request);
    const sessions = sessionsOf(this.#parts.store, legs.bm25, ranking.ranked, limit, hitsOf);
    const known = await this.#statesOf(
      sessions.flatMap(({ moments }) => moments.map(({ id }) => id)),
      request,
    );
    const checked = sessions.map((session) => ({
      ...session,
      moments: session.moments.map((hit) => ({ ...hit, state: known.get(hit.id) ?? hit.state })),
    }));
    return { sessions: checked, ...this.#limitsOf(candidates, request) };
  }

  /** The best `topK` hits that fit at least as well as `fitMin`, each with its fit, which compares with that of another memory. */
  async fitting(request: SearchRequest, fitMin: number): Promise<Fitting> {
    const candidates = await this.#gather(request);
    const best = candidates.ranking.ranked.slice(0, this.#limitOf(request));
    const fits = best.map((one) => ({ ...one, fit: fitOf(one) })).filter(({ fit }) => fit >= fitMin);
    const shown = shownFor({ query: request.query });
    const hits = this.#rowsOf(fits).map((one, at) => ({ ...shown(one, at), fit: one.ranked.fit }));
    return { hits, ...this.#limitsOf(candidates, request) };
  }

  /** The numbers behind the rank of summary `id` in the search of the same request; null for an unknown id. */
  async why(request: WhyRequest): Promise<Why | null> {
    const candidates = await this.#gather(request);
    const { ranking } = candidates;
    const row = this.#parts.store.rows([request.id])[0];
    if (row === undefined) return null;
    // The order that the search gave, also if a file has changed since.
    if (this.#lowered.of(request) === null) await this.#best(candidates, request);
    const order = lowerGone(ranking.ranked, this.#lowered.of(request) ?? new Set());
    const ranked =
      order.find(({ place }) => place.id === request.id) ??
      ranking.folded.get(request.id) ??
      ranking.notFound({ ...row, ms: Date.parse(row.ts), alike: null });
    const state = (await this.#statesOf([request.id], request)).get(request.id) ?? unchecked;
    return { ...explain(ranked, row, backgroundOf(candidates, row, order)), state };
  }

  #gather(request: SearchRequest, shown?: number): Promise<Candidates> {
    return gatherCandidates(this.#parts, this.#vectors, request, shown);
  }

  /** The hits to show, with their states. */
  async #best({ ranking }: Candidates, request: SearchRequest): Promise<FoundRow[]> {
    const skip = skipOf(request);
    const { shown, states, lowered } = await withStates(ranking.ranked, skip + this.#limitOf(request), {
      of: (ids, budgetMs) => this.#statesOf(ids, request, budgetMs),
      hasFiles: () => this.#states.hasFiles(),
    });
    this.#lowered.keep(request, lowered);
    return withRows(this.#parts.store, shown.slice(skip), states);
  }

  #rowsOf<R extends Ranked>(ranked: readonly R[]): FoundRow<R>[] {
    return withRows(this.#parts.store, ranked, new Map());
  }

  #statesOf(
    ids: readonly number[],
    { cwd }: SearchRequest,
    budgetMs?: number,
  ): Promise<ReadonlyMap<number, State>> {
    return this.#states.of(ids, budgetMs, cwd);
  }

  #limitOf({ topK = this.#bound }: SearchRequest): number {
    return Math.max(0, Math.min(topK, this.#bound));
  }

  #limitsOf({ limits, ranking }: Candidates, request: SearchRequest): Limits {
    const { topK = this.#bound, skip } = request;
    const more = skipOf(request) + this.#limitOf(request);
    const hasMore = skip !== undefined && ranking.ranked.length > more && more < topKMax;
    return { ...limits, ...(topK > this.#bound && { topK: this.#bound }), ...(hasMore && { more }) };
  }
}

function shownFor(request: SearchRequest): (one: FoundRow, at: number) => Hit {
  const asked = askedWords(request.query);
  return (one, at) => hitOf(one, skipOf(request) + at, asked);
}

const noStates: Pick<States, 'of' | 'hasFiles'> = {
  of: () => Promise.resolve(new Map()),
  hasFiles: () => false,
};
