import { legDepth } from '../limits.ts';
import { indexTerms, type QueryTerm } from '../terms/index.ts';
import type { Ranked } from './rank.ts';
import type { Why } from './shapes.ts';

/** What stands behind a ranking as a whole. */
export interface Background {
  readonly terms: readonly QueryTerm[];
  /** Name of the embedder in force. */
  readonly embedder: string | null;
  readonly minSimilarity: number;
  readonly vectorWeight: number;
  /** Why there was no vector leg, or null. */
  readonly noVector: string | null;
  /** Cosine of the summary asked about, also when it is below `minSimilarity`; null without a vector. */
  readonly similarity: number | null;
}

/** The numbers of a ranked summary, and the same in words. */
export function explain(ranked: Ranked, background: Background): Why {
  const { bm25, vector, session, decay, superseded } = ranked;
  return {
    id: ranked.row.id,
    bm25: {
      rank: bm25.found?.rank ?? null,
      score: bm25.found?.measure ?? null,
      contribution: bm25.contribution,
    },
    vector: {
      rank: vector.found?.rank ?? null,
      similarity: vector.found?.measure ?? null,
      contribution: vector.contribution,
    },
    ...(session.found === null
      ? {}
      : { legs: { session: { rank: session.found.rank, contribution: session.contribution } } }),
    decay,
    ...(superseded < 1 ? { factors: { superseded } } : {}),
    rrf: { score: ranked.score, rank: ranked.rank },
    explanation: inWords(ranked, background),
  };
}

/** Clauses between ` · `: what each leg found and each factor did, most telling first. */
function inWords(ranked: Ranked, background: Background): string {
  if (background.terms.length === 0) return 'the query has no word to search for';
  const words = [
    ranked.rank === null ? 'not found by this query' : '',
    lexicalWords(ranked, background),
    vectorWords(ranked, background),
    sessionWords(ranked),
    decayWords(ranked.decay),
    supersededWords(ranked),
  ];
  return words.filter((part) => part !== '').join(' · ');
}

function lexicalWords({ row, bm25 }: Ranked, { terms }: Background): string {
  if (bm25.found === null) return `not among the best ${legDepth} by words`;
  const inRow = new Set(indexTerms(`${row.text}\n${row.terms}`));
  const matched = terms.filter(({ term, prefix }) =>
    prefix ? [...inRow].some((one) => one.startsWith(term)) : inRow.has(term),
  );
  const shown = matched.slice(0, shownTermsMax).map(({ word }) => word);
  const more = matched.length > shown.length ? ` and ${matched.length - shown.length} more` : '';
  return `matched ${shown.join(', ')}${more} (BM25 rank ${bm25.found.rank})`;
}

function vectorWords({ vector }: Ranked, background: Background): string {
  if (background.noVector !== null) return `no vector similarity: ${background.noVector}`;
  const by = `by ${background.embedder ?? 'no embedder'}`;
  if (vector.found !== null) {
    const weight = background.vectorWeight === 1 ? '' : `, weight ${background.vectorWeight}`;
    return `similar ${vector.found.measure.toFixed(2)} ${by} (rank ${vector.found.rank}${weight})`;
  }
  if (background.similarity === null) return `no vector ${by} yet`;
  const near = `similar ${background.similarity.toFixed(2)} ${by}`;
  return background.similarity < background.minSimilarity
    ? `${near}, below ${background.minSimilarity}: not counted`
    : `${near}, not among the best ${legDepth}`;
}

function sessionWords({ bm25, session }: Ranked): string {
  if (bm25.found === null || session.found === null) return '';
  const helped = session.found.measure > bm25.found.measure;
  return `${helped ? 'calls around it fit too' : 'no call around it fits'} (session rank ${session.found.rank})`;
}

function decayWords({ ageDays, factor, pinned }: Ranked['decay']): string {
  return `${ageWords(ageDays)} old, ${pinned ? 'pinned: no decay' : `decay ${factor.toFixed(3)}`}`;
}

/** In the largest unit of which there are at least two. */
function ageWords(ageDays: number): string {
  const hours = ageDays * 24;
  if (hours < 2) return `${Math.floor(hours * 60)} min`;
  return hours < 48 ? `${Math.floor(hours)} h` : `${Math.floor(ageDays)} days`;
}

function supersededWords({ superseded, supersededBy }: Ranked): string {
  if (superseded === 1) return '';
  const by = supersededBy === null ? 'another memory' : `#${supersededBy}`;
  return `superseded by ${by}, which is found too: x ${superseded.toFixed(3)} to stand below it`;
}

const shownTermsMax = 8;
