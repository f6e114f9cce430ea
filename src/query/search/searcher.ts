import { topKMax } from '../../core/limits.ts';
import { messageOf } from '../../core/platform/index.ts';
import type { Embedder, EmbedderCascade, VectorIndex } from '../../memory/embed/index.ts';
import type { SearchReads } from '../../memory/store/index.ts';
import { askedWords } from '../../reading/talk/index.ts';
import { isStopWord, isStopWordInTalk, queryTerms } from '../../reading/terms/index.ts';
import type { States } from '../state/index.ts';
import { type Asked, askedOf, lifted } from './asked.ts';
import { type Background, explain } from './explain.ts';
import { LoweredHits, lowerGone, withStates } from './gone.ts';
import { hitOf, unchecked, withRows } from './hits.ts';
import { lexicalLeg, noLeg, vectorLeg } from './legs.ts';
import { isProductName, missingTerms, placesOf } from './names.ts';
import { fitOf, type Legs, type Ranked, type Ranking, rankAll } from './rank.ts';
import { readQuery } from './reading.ts';
import { timeLeg } from './session-leg.ts';
import { sessionsOf } from './sessions.ts';
import type {
  Explained,
  Fitting,
  Found,
  FoundSessions,
  Hit,
  Limits,
  SearchRequest,
  SearchSettings,
  Why,
  WhyRequest,
} from './shapes.ts';
import { VectorCache } from './vectors.ts';

const queryEmbedTimeoutMs = 2_000;

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

export interface SearcherParts {
  readonly store: SearchReads;
  readonly embedder: Pick<EmbedderCascade, 'current' | 'failed'>;
  readonly settings: SearchSettings;
  /** The most candidates by words; `legDepth` when it is missing. */
  readonly depth?: number;
  /** Without it every state is unknown. */
  readonly states?: Pick<States, 'of' | 'hasFiles'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A searcher over one store. Keeps the vectors of the embedder in force in memory. */
export function createSearcher(parts: SearcherParts): Searcher {
  const { store, settings, states = noStates } = parts;
  const vectors = new VectorCache(store);
  const bound = Math.min(settings.topK, topKMax);
  const limitOf = ({ topK = bound }: SearchRequest) => Math.max(0, Math.min(topK, bound));
  const lowered = new LoweredHits(parts.now);
  const best = async ({ ranked }: Ranking, request: SearchRequest) => {
    const checker = {
      of: (ids: readonly number[], budgetMs?: number) => states.of(ids, budgetMs, request.cwd),
      hasFiles: () => states.hasFiles(),
    };
    const skip = skipOf(request);
    const found = await withStates(ranked, skip + limitOf(request), checker);
    lowered.keep(request, found.lowered);
    return withRows(store, found.shown.slice(skip), found.states);
  };
  const limitsOf = ({ limits, ranking }: Candidates, request: SearchRequest): Limits => {
    const { topK = bound, skip } = request;
    const more = skipOf(request) + limitOf(request);
    const hasMore = skip !== undefined && ranking.ranked.length > more && more < topKMax;
    return { ...limits, ...(topK > bound && { topK: bound }), ...(hasMore && { more }) };
  };
  const found = async (request: SearchRequest): Promise<Found> => {
    const candidates = await gatherCandidates(parts, vectors, request);
    const asked = askedWords(request.query);
    const skip = skipOf(request);
    const hits = (await best(candidates.ranking, request)).map((one, at) => hitOf(one, skip + at, asked));
    return { hits, ...limitsOf(candidates, request) };
  };
  return {
    prepare: async () => {
      const embedder = await parts.embedder.current(AbortSignal.timeout(queryEmbedTimeoutMs));
      await vectors.indexFor(embedder);
    },
    rest: () => vectors.drop(),
    found,
    search: async (request) => (await found(request)).hits,
    sessions: async (request) => {
      const candidates = await gatherCandidates(parts, vectors, request, Number.POSITIVE_INFINITY);
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
      const candidates = await gatherCandidates(parts, vectors, request);
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
    explained: async (request) => {
      const candidates = await gatherCandidates(parts, vectors, request);
      const { ranking } = candidates;
      const asked = askedWords(request.query);
      const hits = (await best(ranking, request)).map((found, at) => ({
        ...hitOf(found, skipOf(request) + at, asked),
        why: {
          ...explain(found.ranked, found.row, backgroundOf(candidates, found.row.id)),
          state: found.state,
        },
      }));
      const orders = Object.entries(ranking.legs).map(
        ([name, leg]) => [name, [...leg.found.keys()]] as const,
      );
      return { hits, legs: Object.fromEntries(orders), ...limitsOf(candidates, request) };
    },
    why: async (request) => {
      const candidates = await gatherCandidates(parts, vectors, request);
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
      return { ...explain(ranked, row, backgroundOf(candidates, request.id)), state };
    },
  };
}

const noStates: Pick<States, 'of' | 'hasFiles'> = {
  of: () => Promise.resolve(new Map()),
  hasFiles: () => false,
};

interface Candidates {
  readonly hasWords: boolean;
  readonly legs: Legs;
  readonly ranking: Ranking;
  readonly side: VectorSide;
  /** What limited the hits, and whether anything fits. */
  readonly limits: Limits;
}

function skipOf({ skip = 0 }: SearchRequest): number {
  return Math.min(skip, topKMax);
}

/** Shared by `search` and `why`, so that their numbers agree. */
async function gatherCandidates(
  parts: SearcherParts,
  vectors: VectorCache,
  request: SearchRequest,
  shown = skipOf(request) + (request.topK ?? parts.settings.topK),
): Promise<Candidates> {
  const asked = askedOf(request, parts.now);
  const found = await candidatesOf(parts, vectors, request, shown, asked);
  if (found.ranking.ranked.length > 0 || asked.dates === null) return found;
  return candidatesOf(parts, vectors, request, shown, lifted(asked));
}

async function candidatesOf(
  parts: SearcherParts,
  vectors: VectorCache,
  request: SearchRequest,
  shown: number,
  { query, filter, dates, asOfMs, isOnlyDate }: Asked,
): Promise<Candidates> {
  const { store, settings } = parts;
  const reading = readQuery(query, isOnlyDate, store.hasMessages());
  const terms = isOnlyDate ? [] : queryTerms(query, reading.isTalk ? isStopWordInTalk : isStopWord);
  const side = terms.length === 0 ? noSide('nothing to compare') : await vectorSide(parts, vectors, query);
  // No await below: all reads see the database at one time.
  const only = store.matching(filter);
  const bm25 = terms.length === 0 ? noLeg : lexicalLeg(store, terms, only, parts.depth);
  const missing = missingTerms(store, terms);
  const isKnown = missing.length < terms.length || bm25.found.size > 0;
  const vector =
    side.index === null || side.embedder === null || side.query === null
      ? noLeg
      : vectorLeg(side.index, side.query, side.embedder, { only, isKnown, isQuestion: reading.looksBack });
  const time = isOnlyDate && { time: timeLeg(store.ofTime(only, dates?.lifted === true)) };
  const legs: Legs = { bm25, vector, ...time };
  const ranking = rankAll(store, legs, { reading, asOfMs, shown, settings });
  const limits = {
    ...(dates !== null && { dates }),
    ...(ranking.ranked.length > 0 && placesOf(missing, request.query)),
    ...(missing.some(({ word }) => isProductName(word)) && { fits: false as const }),
  };
  return { hasWords: terms.length > 0 || isOnlyDate, legs, ranking, side, limits };
}

/** The input of the vector leg, or why it is missing. */
interface VectorSide {
  readonly embedder: Embedder | null;
  readonly query: Float32Array | null;
  readonly index: VectorIndex | null;
  readonly missing: string | null;
}

function noSide(missing: string): VectorSide {
  return { embedder: null, query: null, index: null, missing };
}

/** The query's vector and the index. A model that does not answer costs the leg, not the search. */
async function vectorSide(parts: SearcherParts, vectors: VectorCache, query: string): Promise<VectorSide> {
  const signal = AbortSignal.timeout(queryEmbedTimeoutMs);
  let embedder: Embedder | null = null;
  let vector: Float32Array | null = null;
  try {
    embedder = await parts.embedder.current(signal);
    vector = (await embedder.embed([query], signal, 'query'))[0] ?? null;
  } catch (error) {
    if (embedder !== null) parts.embedder.failed(embedder);
    return noSide(messageOf(error));
  }
  // Outside the catch: an unreadable database is not the embedder's fault.
  const index = await vectors.indexFor(embedder);
  const missing = index === null ? `no vectors by ${embedder.name} yet` : null;
  return { embedder, query: vector, index, missing };
}

function backgroundOf({ hasWords, legs, side }: Candidates, id: number): Background {
  const { embedder, index, query } = side;
  return {
    hasWords,
    terms: legs.bm25.terms,
    embedder: embedder?.name ?? null,
    minSimilarity: embedder?.minSimilarity ?? 0,
    vectorWeight: legs.vector.weight,
    noVector: side.missing,
    similarity: index === null || query === null ? null : index.similarity(query, id),
  };
}
