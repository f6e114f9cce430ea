import type { Embedder, VectorIndex } from '../embed/index.ts';
import { commonTermSummariesMin, legDepth, lexicalTermsMax } from '../limits.ts';
import { matchExpression, mostTelling, type QueryTerm } from '../terms/index.ts';
import type { SearchFilter, SearchRow, SearchStore } from './store-port.ts';

/** One way of finding: its candidates with their rank (1 = best) and its own measure of them. */
export interface Leg {
  /** What a rank is worth: contribution = weight / (rrfK + rank). */
  readonly weight: number;
  readonly found: ReadonlyMap<number, Found>;
}

export interface Found {
  readonly rank: number;
  /** BM25 score, or cosine. */
  readonly measure: number;
}

/** BM25 over the terms worth asking for. */
export function lexicalLeg(store: SearchStore, terms: readonly QueryTerm[], filter: SearchFilter): Leg {
  const match = matchExpression(worthAsking(store, terms));
  const scored = match === null ? [] : store.lexical(match, legDepth, filter);
  return { weight: 1, found: ranked(scored.map(({ id, score }) => ({ id, measure: score }))) };
}

/** Cosine over the vectors of `embedder`; likenesses below its noise are no finds. */
export function vectorLeg(
  index: VectorIndex,
  query: Float32Array,
  embedder: Embedder,
  only: ReadonlySet<number> | null,
): Leg {
  // A query without a word the embedder knows has no direction: it is like nothing, not like everything.
  const near = query.every((value) => value === 0)
    ? []
    : index.topK(query, legDepth, only, embedder.minSimilarity);
  return {
    weight: embedder.legWeight,
    found: ranked(near.map(({ id, similarity }) => ({ id, measure: similarity }))),
  };
}

/**
 * BM25 supported by what was done around: a call whose neighbours in its session fit the query too is likelier to be
 * what was meant than one that fits alone. Ranks what the lexical leg found, finds nothing of its own.
 * Neighbours are told by id, as summaries of one session are made in the order of its calls.
 * BM25 alone -> all legs, no decay, on the queries the weights were set by: nDCG@10 commit .245 -> .254, prompt .198 ->
 * .203 (but Hit@5 .411 -> .401); LoCoMo R@10 .631 -> .638.
 */
export function sessionLeg(lexical: Leg, rows: readonly SearchRow[]): Leg {
  const sessionOf = new Map(rows.map(({ id, sessionId }) => [id, sessionId]));
  const supported: { id: number; measure: number }[] = [];
  for (const [id, { measure }] of lexical.found) {
    const session = sessionOf.get(id);
    let support = 0;
    for (let distance = 1; session !== undefined && session !== '' && distance <= neighboursMax; distance++) {
      for (const other of [id - distance, id + distance]) {
        if (sessionOf.get(other) !== session) continue;
        support += (lexical.found.get(other)?.measure ?? 0) * 2 ** (-distance / neighbourHalving);
      }
    }
    supported.push({ id, measure: measure + supportWeight * support });
  }
  supported.sort((a, b) => b.measure - a.measure || b.id - a.id);
  return { weight: sessionWeight, found: ranked(supported) };
}

const neighboursMax = 8;
const neighbourHalving = 4;
const supportWeight = 0.1;
const sessionWeight = 0.5;

export const noLeg: Leg = { weight: 0, found: new Map() };

/**
 * The terms to ask FTS5 for. One that is in more than half of many summaries tells nothing (BM25's idf is nil there)
 * and costs the most (55 ms of 100,000 summaries against 2): left out when rarer ones are there. Of very many
 * the rarest. Few summaries are searched for every term.
 */
function worthAsking(store: SearchStore, terms: readonly QueryTerm[]): QueryTerm[] {
  const count = store.summaryCount();
  if (count < commonTermSummariesMin && terms.length <= lexicalTermsMax) return [...terms];
  const frequency = store.documentFrequency(terms.map(({ term }) => term));
  const known = terms.filter(({ term, prefix }) => prefix || frequency.has(term));
  const rare = known.filter(({ term }) => (frequency.get(term) ?? 0) <= count / 2);
  const kept = rare.length > 0 ? rare : known;
  return mostTelling(kept, lexicalTermsMax, ({ term }) => -(frequency.get(term) ?? 0));
}

function ranked(bestFirst: readonly { readonly id: number; readonly measure: number }[]): Map<number, Found> {
  return new Map(bestFirst.map(({ id, measure }, at) => [id, { rank: at + 1, measure }]));
}
