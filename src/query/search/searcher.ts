import { topKMax } from '../../core/limits.ts';
import { askedWords } from '../../reading/talk/index.ts';
import type { States } from '../state/index.ts';
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
import { hitOf, unchecked, withRows } from './hits.ts';
import { fitOf, type Ranked, type Ranking } from './rank.ts';
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

export interface Searcher {
  /**
   * The best `topK` summaries, best first; none for an empty or meaningless query. Equal ones are one.
   * @throws Failure `bad_request` for an invalid time, and for an unknown session, tool or client
   */
  search(request: SearchRequest): Promise<readonly Hit[]>;
  /** The same with what limited them: a date in the query, the setting `topK`. */
  found(request: SearchRequest): Promise<Found>;
  /** The best `topK` sessions with their best moments. */
  sessions(request: SearchRequest): Promise<FoundSessions>;
  /** The best `topK` hits that fit at least as well as `fitMin`, each with its fit, which compares with that of another memory. */
  fitting(request: SearchRequest, fitMin: number): Promise<Fitting>;
  /**
   * The same, each hit with its numbers, and the order of every leg.
   * @throws Failure `bad_request` for an invalid `asOf`
   */
  explained(request: SearchRequest): Promise<Explained>;
  /**
   * The numbers behind the rank of summary `id` in `search` of the same request; null for an unknown id.
   * @throws Failure `bad_request` for an invalid `asOf`
   */
  why(request: WhyRequest): Promise<Why | null>;
  /** Reads what the first search would read. */
  prepare(): Promise<void>;
  /** Drops what the next search can read again. */
  rest(): void;
}

/** A searcher over one store. Keeps the vectors of the embedder in force in memory. */
export function createSearcher(parts: SearcherParts): Searcher {
  const { store, settings, states = noStates } = parts;
  const vectors = new VectorCache(store);
  const bound = Math.min(settings.topK, topKMax);
  const limitOf = ({ topK = bound }: SearchRequest) => Math.max(0, Math.min(topK, bound));
  const lowered = new LoweredHits(parts.now);
  const asking: Asking = {
    ...{ store, states, lowered, limitOf },
    gather: (request, depth) => gatherCandidates(parts, vectors, request, depth),
    best: async ({ ranked }, request) => {
      const checker = {
        of: (ids: readonly number[], budgetMs?: number) => states.of(ids, budgetMs, request.cwd),
        hasFiles: () => states.hasFiles(),
      };
      const skip = skipOf(request);
      const found = await withStates(ranked, skip + limitOf(request), checker);
      lowered.keep(request, found.lowered);
      return withRows(store, found.shown.slice(skip), found.states);
    },
    limitsOf: ({ limits, ranking }, request) => {
      const { topK = bound, skip } = request;
      const more = skipOf(request) + limitOf(request);
      const hasMore = skip !== undefined && ranking.ranked.length > more && more < topKMax;
      return { ...limits, ...(topK > bound && { topK: bound }), ...(hasMore && { more }) };
    },
  };
  const found = async (request: SearchRequest): Promise<Found> => {
    const candidates = await asking.gather(request);
    const asked = askedWords(request.query);
    const skip = skipOf(request);
    const best = await asking.best(candidates.ranking, request);
    return {
      hits: best.map((one, at) => hitOf(one, skip + at, asked)),
      ...asking.limitsOf(candidates, request),
    };
  };
  return {
    prepare: async () => {
      const embedder = await parts.embedder.current(AbortSignal.timeout(queryEmbedTimeoutMs));
      await vectors.indexFor(embedder);
    },
    rest: () => vectors.drop(),
    found,
    search: async (request) => (await found(request)).hits,
    ...sessionsAndFits(asking),
    ...explanations(asking),
  };
}

/** What all kinds of answers are made with. */
interface Asking extends Pick<SearcherParts, 'store'> {
  readonly states: Pick<States, 'of' | 'hasFiles'>;
  readonly lowered: LoweredHits;
  readonly limitOf: (request: SearchRequest) => number;
  readonly gather: (request: SearchRequest, depth?: number) => Promise<Candidates>;
  /** The hits to show, with their states. */
  readonly best: (ranking: Ranking, request: SearchRequest) => Promise<ReturnType<typeof withRows>>;
  readonly limitsOf: (candidates: Candidates, request: SearchRequest) => Limits;
}

function sessionsAndFits({
  store,
  states,
  limitOf,
  gather,
  limitsOf,
}: Asking): Pick<Searcher, 'sessions' | 'fitting'> {
  return {
    sessions: async (request) => {
      const candidates = await gather(request, Number.POSITIVE_INFINITY);
      const asked = askedWords(request.query);
      const hitsOf = (moments: readonly Ranked[]) =>
        withRows(store, moments, new Map()).map((one) => hitOf(one, (one.ranked.rank ?? 1) - 1, asked));
      const { legs, ranking } = candidates;
      const sessions = sessionsOf(store, legs.bm25, ranking.ranked, limitOf(request), hitsOf);
      const moments = sessions.flatMap((session) => session.moments.map(({ id }) => id));
      const known = await states.of(moments, undefined, request.cwd);
      const checked = sessions.map((session) => ({
        ...session,
        moments: session.moments.map((hit) => ({ ...hit, state: known.get(hit.id) ?? hit.state })),
      }));
      return { sessions: checked, ...limitsOf(candidates, request) };
    },
    fitting: async (request, fitMin) => {
      const candidates = await gather(request);
      const fits = candidates.ranking.ranked
        .slice(0, limitOf(request))
        .map((one) => ({ ...one, fit: fitOf(one) }));
      const rows = withRows(
        store,
        fits.filter(({ fit }) => fit >= fitMin),
        new Map(),
      );
      const asked = askedWords(request.query);
      const hits = rows.map((one, at) => ({ ...hitOf(one, at, asked), fit: one.ranked.fit }));
      return { hits, ...limitsOf(candidates, request) };
    },
  };
}

function explanations({
  store,
  states,
  lowered,
  gather,
  best,
  limitsOf,
}: Asking): Pick<Searcher, 'explained' | 'why'> {
  return {
    explained: async (request) => {
      const candidates = await gather(request);
      const { ranking } = candidates;
      const asked = askedWords(request.query);
      const shown = await best(ranking, request);
      const order = shown.map(({ ranked }) => ranked);
      const hits = shown.map((found, at) => ({
        ...hitOf(found, skipOf(request) + at, asked),
        why: {
          ...explain(found.ranked, found.row, backgroundOf(candidates, found.row, order)),
          state: found.state,
        },
      }));
      const orders = Object.entries(ranking.legs).map(
        ([name, leg]) => [name, [...leg.found.keys()]] as const,
      );
      return { hits, legs: Object.fromEntries(orders), ...limitsOf(candidates, request) };
    },
    why: async (request) => {
      const candidates = await gather(request);
      const { ranking } = candidates;
      const row = store.rows([request.id])[0];
      if (row === undefined) return null;
      // The order that the search gave, also if a file has changed since.
      if (lowered.of(request) === null) await best(ranking, request);
      const order = lowerGone(ranking.ranked, lowered.of(request) ?? new Set());
      const ranked =
        order.find(({ place }) => place.id === request.id) ??
        ranking.folded.get(request.id) ??
        ranking.notFound({ ...row, ms: Date.parse(row.ts), alike: null });
      const state = (await states.of([request.id], undefined, request.cwd)).get(request.id) ?? unchecked;
      return { ...explain(ranked, row, backgroundOf(candidates, row, order)), state };
    },
  };
}

const noStates: Pick<States, 'of' | 'hasFiles'> = {
  of: () => Promise.resolve(new Map()),
  hasFiles: () => false,
};
