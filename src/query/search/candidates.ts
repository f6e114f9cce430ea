import { topKMax } from '#core/limits';
import { messageOf } from '#core/platform';
import type { Embedder, EmbedderCascade, VectorIndex } from '#memory/embed';
import type { SearchReads } from '#memory/store';
import type { States } from '#query/state';
import { dayWords } from '#query/when';
import { isStopWord, isStopWordInTalk, queryTerms } from '#reading/terms';
import type { Background } from './explain.ts';
import { readQuery } from './kinds.ts';
import { lexicalLeg, noLeg, vectorLeg } from './legs.ts';
import { isProductName, missingTerms, placesOf } from './missing-names.ts';
import { type Legs, type Ranked, type Ranking, rankAll } from './rank.ts';
import { type Asked, askedOf, lifted } from './request-times.ts';
import { timeLeg } from './session-leg.ts';
import type { Limits, SearchRequest, SearchSettings } from './shapes.ts';
import type { VectorCache } from './vectors.ts';

export const queryEmbedTimeoutMs = 2_000;

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

export interface Candidates {
  readonly hasWords: boolean;
  readonly legs: Legs;
  readonly ranking: Ranking;
  readonly side: VectorSide;
  /** What limited the hits, and whether anything fits. */
  readonly limits: Limits;
}

export function skipOf({ skip = 0 }: SearchRequest): number {
  return Math.min(skip, topKMax);
}

/** Shared by `search` and `why`, so that their numbers agree. */
export async function gatherCandidates(
  parts: SearcherParts,
  vectors: VectorCache,
  request: SearchRequest,
  shown = skipOf(request) + (request.topK ?? parts.settings.topK),
): Promise<Candidates> {
  const asked = askedOf(request, parts.now);
  const found = await candidatesOf(parts, vectors, request, shown, asked);
  if (found.ranking.ranked.length > 0) return found;
  const { since, until } = asked.filter;
  const nearest = since === undefined && until === undefined ? null : parts.store.nearestTo(since, until);
  const open = asked.dates && (await candidatesOf(parts, vectors, request, shown, lifted(asked)));
  const { limits, ...rest } = open ?? found;
  return { ...rest, limits: { ...limits, ...(nearest && { nearest: dayWords(new Date(nearest)) }) } };
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

/** `order`: the hits as they are shown, best first. */
export function backgroundOf(
  { hasWords, legs, side, limits }: Candidates,
  { id, sessionId }: { readonly id: number; readonly sessionId: string },
  order: readonly Pick<Ranked, 'rank' | 'place'>[],
): Background {
  const { embedder, index, query } = side;
  const isGrouped = sessionId !== '' && order.some(({ place }) => place.sessionId !== sessionId);
  const best = isGrouped ? order.find(({ place }) => place.sessionId === sessionId) : undefined;
  return {
    hasWords,
    terms: legs.bm25.terms,
    embedder: embedder?.name ?? null,
    minSimilarity: embedder?.minSimilarity ?? 0,
    vectorWeight: legs.vector.weight,
    noVector: side.missing,
    similarity: index === null || query === null ? null : index.similarity(query, id),
    isOtherDate: limits.dates?.lifted === true,
    listedWith: best === undefined || best.place.id === id ? null : best.rank,
  };
}
