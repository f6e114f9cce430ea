import { queryCharsMax, topKMax } from '../../core/limits.ts';
import { Failure, messageOf } from '../../core/platform/index.ts';
import type { Embedder, EmbedderCascade, VectorIndex } from '../../memory/embed/index.ts';
import type { SearchReads, SummaryWithTerms } from '../../memory/store/index.ts';
import { isStopWord, isStopWordInTalk, type QueryTerm, queryTerms } from '../../memory/terms/index.ts';
import { dayIn } from './dates.ts';
import { type Background, explain } from './explain.ts';
import { intentOf } from './intent.ts';
import { asksTalk, asksWishes, kindFactors } from './kinds.ts';
import { lexicalLeg, noLeg, vectorLeg } from './legs.ts';
import { looksBack } from './looks-back.ts';
import { isProductName } from './names.ts';
import { type Legs, type Ranked, type Ranking, rankAll } from './rank.ts';
import type { Explained, Found, Hit, SearchRequest, SearchSettings, Why, WhyRequest } from './shapes.ts';
import { VectorCache } from './vectors.ts';

const queryEmbedTimeoutMs = 2_000;

export interface Searcher {
  /**
   * The best `topK` summaries, best first; none for an empty or meaningless query.
   * @throws Failure `bad_request` for an invalid `asOf`
   */
  search(request: SearchRequest): Promise<readonly Hit[]>;
  /** The same, and whether anything fits. */
  found(request: SearchRequest): Promise<Found>;
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
}

export interface SearcherParts {
  readonly store: SearchReads;
  readonly embedder: Pick<EmbedderCascade, 'current' | 'failed'>;
  readonly settings: SearchSettings;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A searcher over one store. Keeps the vectors of the embedder in force in memory. */
export function createSearcher(parts: SearcherParts): Searcher {
  const { store, settings } = parts;
  const vectors = new VectorCache(store);
  const best = ({ ranked }: Ranking, { topK = settings.topK }: SearchRequest) =>
    withRows(store, ranked.slice(0, Math.max(0, Math.min(topK, settings.topK, topKMax))));
  const found = async (request: SearchRequest): Promise<Found> => {
    const { ranking, notes } = await gatherCandidates(parts, vectors, request);
    return { hits: best(ranking, request).map(hitOf), ...notes };
  };
  return {
    found,
    search: async (request) => (await found(request)).hits,
    explained: async (request) => {
      const candidates = await gatherCandidates(parts, vectors, request);
      const { ranking } = candidates;
      const hits = best(ranking, request).map((found, at) => ({
        ...hitOf(found, at),
        why: explain(found.ranked, found.row, backgroundOf(candidates, found.row.id)),
      }));
      const orders = Object.entries(ranking.legs).map(
        ([name, leg]) => [name, [...leg.found.keys()]] as const,
      );
      return { hits, legs: Object.fromEntries(orders), ...candidates.notes };
    },
    why: async (request) => {
      const candidates = await gatherCandidates(parts, vectors, request);
      const { ranking } = candidates;
      const row = store.rows([request.id])[0];
      if (row === undefined) return null;
      const ranked = ranking.ranked.find(({ place }) => place.id === request.id) ?? ranking.notFound(row);
      return explain(ranked, row, backgroundOf(candidates, request.id));
    },
  };
}

interface FoundRow {
  readonly ranked: Ranked;
  readonly row: SummaryWithTerms;
}

function withRows(store: SearchReads, best: readonly Ranked[]): FoundRow[] {
  const rows = new Map(store.rows(best.map(({ place }) => place.id)).map((row) => [row.id, row]));
  return best.flatMap((ranked) => {
    const row = rows.get(ranked.place.id);
    return row === undefined ? [] : [{ ranked, row }];
  });
}

interface Candidates {
  readonly hasWords: boolean;
  readonly legs: Legs;
  readonly ranking: Ranking;
  readonly side: VectorSide;
  /** What is said about the hits as a whole. */
  readonly notes: Pick<Found, 'fits'>;
}

/** Shared by `search` and `why`, so that their numbers agree. */
async function gatherCandidates(
  parts: SearcherParts,
  vectors: VectorCache,
  request: SearchRequest,
): Promise<Candidates> {
  const { store, settings } = parts;
  const asOfMs = clockOf(request, parts.now);
  const asked = request.query.slice(0, queryCharsMax);
  const day = dayIn(asked, asOfMs);
  const query = day?.rest ?? asked;
  const intent = intentOf(query);
  const isTalk = asksTalk(query, intent, store.hasMessages());
  const terms = queryTerms(query, isTalk ? isStopWordInTalk : isStopWord);
  const side = terms.length === 0 ? noSide('nothing to compare') : await vectorSide(parts, vectors, query);
  // No await below: all reads see the database at one time.
  const bm25 = terms.length === 0 ? noLeg : lexicalLeg(store, terms, request);
  const isQuestion = looksBack(query);
  const missing = missingTerms(store, terms);
  const isKnown = missing.length < terms.length || bm25.found.size > 0;
  const vector =
    side.index === null || side.embedder === null || side.query === null
      ? noLeg
      : vectorLeg(side.index, side.query, side.embedder, {
          only: store.filteredIds(request),
          isKnown,
          isQuestion,
        });
  const legs: Legs = { bm25, vector };
  const notes = missing.some(({ word }) => isProductName(word)) ? ({ fits: false } as const) : {};
  const kinds = kindFactors(isTalk);
  const ranking = rankAll(store, legs, {
    intent,
    kinds,
    asksWishes: isTalk && asksWishes(query),
    looksBack: isQuestion,
    day,
    asOfMs,
    settings,
  });
  return { hasWords: terms.length > 0, legs, ranking, side, notes };
}

/** The terms that no memory has. The start of a hash is not looked up here. */
function missingTerms(store: SearchReads, terms: readonly QueryTerm[]): QueryTerm[] {
  const known = store.documentFrequency(terms.map(({ term }) => term));
  return terms.filter(({ term }) => !known.has(term));
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

function clockOf({ asOf }: SearchRequest, now: () => number): number {
  if (asOf === undefined) return now();
  const ms = Date.parse(asOf);
  if (!Number.isNaN(ms)) return ms;
  throw new Failure('bad_request', `asOf ${JSON.stringify(asOf.slice(0, 80))} is not a time`, {
    repair: 'give it as ISO 8601, for example 2026-01-31T12:00:00Z',
  });
}

function hitOf({ ranked, row: { terms: _terms, ...row } }: FoundRow, at: number): Hit {
  const hit = { ...row, rank: at + 1, score: ranked.score };
  return ranked.supersededBy === null ? hit : { ...hit, supersededBy: ranked.supersededBy };
}
