import { legDepth } from '#core/limits';
import type { Embedder, VectorIndex } from '#memory/embed';
import type { SearchReads } from '#memory/store';
import { inverseFrequency, mostTelling, type QueryTerm } from '#reading/terms';

export const lexicalTermsMax = 48;
const commonTermSummariesMin = 1_000;

/** One way of searching: its candidates by `summaries.id`. */
export interface Leg {
  /** contribution = weight / (rrfK + rank), by score weight * share / (rrfK + 1) */
  readonly weight: number;
  readonly found: ReadonlyMap<number, Candidate>;
}

export interface Candidate {
  /** The index rows of the lexical leg. */
  readonly rows?: readonly number[];
  /** 1 = best. */
  readonly rank: number;
  /** BM25 score, or cosine. */
  readonly measure: number;
  /** Of a leg that counts by score: 1 for the best, next to nothing for the last. Models differ in what they call near, within a query and on the whole. */
  readonly share?: number;
}

/** A term of the query with its frequency in the index. */
export interface AskedTerm extends QueryTerm {
  /** Number of index rows with the term. */
  readonly documents: number;
  /** Inverse document frequency, as FTS5's bm25() takes it. */
  readonly idf: number;
}

export interface LexicalLeg extends Leg {
  /** The terms that were searched. */
  readonly terms: readonly AskedTerm[];
}

/** BM25 over the useful terms, among `only`: at most `depth` memories. */
export function lexicalLeg(
  store: SearchReads,
  terms: readonly QueryTerm[],
  only: ReadonlySet<number> | null,
  depth = legDepth,
): LexicalLeg {
  const asked = usefulTerms(store, terms);
  const scored = asked.length === 0 ? [] : store.lexical(asked, depth, only);
  return {
    weight: 1,
    found: ranked(scored.map(({ id, score, rows }) => ({ id, measure: score, rows }))),
    terms: asked,
  };
}

export interface VectorAsked {
  /** Null: all. */
  readonly only: ReadonlySet<number> | null;
  /** Whether some word of the query is stored. */
  readonly isKnown: boolean;
  /** See `looksBack`. */
  readonly isQuestion: boolean;
}

/** The weight of the embedder's ranks for a query. */
export function vectorWeight({ legWeight, questionLegWeight }: Embedder, isQuestion: boolean): number {
  return isQuestion ? (questionLegWeight ?? legWeight) : legWeight;
}

/** Cosine over the vectors of `embedder`, at least its minimum. */
export function vectorLeg(
  index: VectorIndex,
  query: Float32Array,
  embedder: Embedder,
  { only, isKnown, isQuestion }: VectorAsked,
): Leg {
  const { minSimilarity, unknownMinSimilarity } = embedder;
  // A query without a word that the embedder knows is similar to nothing.
  const near = query.every((value) => value === 0)
    ? []
    : index.topK(query, legDepth, only, isKnown ? minSimilarity : (unknownMinSimilarity ?? minSimilarity));
  const best = near[0]?.similarity ?? 0;
  const span = best - (near.at(-1)?.similarity ?? 0);
  const shareOf = (measure: number) =>
    embedder.byScore && { share: span > 0 ? 1 - ((1 - lastShare) * (best - measure)) / span : 1 };
  return {
    weight: vectorWeight(embedder, isQuestion),
    found: ranked(near.map(({ id, similarity: measure }) => ({ id, measure, ...shareOf(measure) }))),
  };
}

/** Above 0: by factors a newer memory still comes above those that it supersedes. */
const lastShare = 0.001;

export const noLeg: LexicalLeg = { weight: 0, found: new Map(), terms: [] };

/**
 * The terms to search. A term in more than half of many summaries has an idf near 0 and costs the most (55 ms in 100,000 summaries
 * against 2): left out if rarer terms exist. Of very many terms the rarest. Among few summaries every term is searched.
 */
function usefulTerms(store: SearchReads, terms: readonly QueryTerm[]): AskedTerm[] {
  const count = store.rowCount();
  const frequency = store.documentFrequency(terms.map(({ term }) => term));
  const asked = terms.map((term): AskedTerm => {
    const documents = Math.min(count, frequency.get(term.term) ?? 0);
    return { ...term, documents, idf: inverseFrequency(count, documents) };
  });
  if (count < commonTermSummariesMin && terms.length <= lexicalTermsMax) return asked;
  const known = asked.filter(({ prefix, documents }) => prefix || documents > 0);
  const rare = known.filter(({ documents }) => documents <= count / 2);
  return mostTelling(rare.length > 0 ? rare : known, lexicalTermsMax, ({ documents }) => -documents);
}

export function ranked(
  bestFirst: readonly ({ readonly id: number } & Omit<Candidate, 'rank'>)[],
): Map<number, Candidate> {
  const found = new Map<number, Candidate>();
  for (const { id, measure, rows, share } of bestFirst)
    found.set(id, {
      ...{ rank: found.size + 1, measure },
      ...(rows !== undefined && { rows }),
      ...(share !== undefined && { share }),
    });
  return found;
}
