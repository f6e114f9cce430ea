import { legDepth } from '#core/limits';
import { readOrigin, type SummaryWithTerms } from '#memory/store';
import { indexTerms } from '#reading/terms';
import type { Factor } from './factor.ts';
import type { AskedTerm } from './legs.ts';
import type { Part, Ranked } from './rank.ts';
import type { Why } from './shapes.ts';

/** The facts that all hits of a ranking share. */
export interface Background {
  /** Whether the query has a word, or a date, at all. */
  readonly hasWords: boolean;
  /** The terms that were searched. */
  readonly terms: readonly AskedTerm[];
  /** Name of the embedder in force. */
  readonly embedder: string | null;
  readonly minSimilarity: number;
  readonly vectorWeight: number;
  /** Why there was no vector leg, or null. */
  readonly noVector: string | null;
  /** Cosine of the explained summary, also below `minSimilarity`; null without a vector. */
  readonly similarity: number | null;
  /** No memory is of the date in the query: it is left out. */
  readonly isOtherDate: boolean;
  /** The rank of a better hit of its session, with which lists show it. */
  readonly listedWith: number | null;
}

/** The numbers of a ranked summary, and the same in words. */
export function explain(ranked: Ranked, row: SummaryWithTerms, background: Background): Omit<Why, 'state'> {
  const { bm25, vector, session, talk, decay, factors } = ranked;
  const matched = matchedTerms(ranked, row, background);
  return {
    id: row.id,
    ...readOrigin(row),
    bm25: { ...legOf(bm25), terms: matched.map(({ term, word, idf }) => ({ term, word, idf })) },
    vector: {
      rank: vector.found?.rank ?? null,
      similarity: vector.found?.measure ?? null,
      contribution: vector.contribution,
      embedder: background.embedder,
    },
    ...(session.found !== null && {
      legs: { session: legOf(session), ...(talk.found !== null && { talk: legOf(talk) }) },
    }),
    decay,
    ...(factors.length > 0 && {
      factors: Object.fromEntries(factors.map(({ name, value }) => [name, value])),
    }),
    rrf: { score: ranked.score, rank: ranked.rank },
    explanation: inWords(ranked, matched, background),
    sentence: sentenceOf(ranked, matched, background),
  };
}

function legOf({ found, contribution }: Part) {
  return { rank: found?.rank ?? null, score: found?.measure ?? null, contribution };
}

/** Those whose clause has a place of its own; all others follow the last one. */
const placedFactors: readonly string[] = ['equal', 'gone', 'wish', 'kind', 'supersedes'];

/** Clauses between ` · `: the result of each leg and factor, most important first. */
function inWords(ranked: Ranked, matched: readonly AskedTerm[], background: Background): string {
  if (!background.hasWords) return 'the query has no word to search for';
  const words = [
    ranked.rank === null && ranked.equalTo === null ? 'not found by this query' : '',
    equalWords(ranked),
    factorWords(ranked, 'gone'),
    lexicalWords(ranked, matched),
    vectorWords(ranked, background),
    sessionWords(ranked, background),
    ranked.talk.found === null ? '' : talkWords,
    factorWords(ranked, 'wish'),
    factorWords(ranked, 'kind'),
    decayWords(ranked.decay),
    factorWords(ranked, 'supersedes'),
    ranked.supersededBy === null ? '' : `superseded by #${ranked.supersededBy}`,
    ...ranked.factors.filter(({ name }) => !placedFactors.includes(name)).map(clauseOf),
  ];
  return words.filter((part) => part !== '').join(' · ');
}

/** The terms of the query that are in the summary, the rarest first. */
function matchedTerms({ bm25 }: Ranked, row: SummaryWithTerms, { terms }: Background): AskedTerm[] {
  if (bm25.found === null) return [];
  const inRow = new Set(indexTerms(`${row.text}\n${row.terms}`));
  return terms
    .filter(({ term, prefix }) => (prefix ? [...inRow].some((one) => one.startsWith(term)) : inRow.has(term)))
    .sort((a, b) => b.idf - a.idf);
}

function lexicalWords({ bm25, session }: Ranked, matched: readonly AskedTerm[]): string {
  if (bm25.found === null) return session.found === null ? `not among the best ${legDepth} by words` : '';
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

function sessionWords({ session, bm25, supported }: Ranked, { isOtherDate }: Background): string {
  if (session.found === null) return '';
  if (bm25.found === null) return `${isOtherDate ? otherDateWords : dateWords} (rank ${session.found.rank})`;
  return `${supported ? neighbourWords : 'no neighbouring call matches'} (session rank ${session.found.rank})`;
}

function factorWords({ factors }: Ranked, name: Factor['name']): string {
  const found = factors.find((factor) => factor.name === name);
  return found === undefined ? '' : clauseOf(found);
}

function clauseOf({ words, value }: Factor): string {
  return `${words}: x ${Number(value.toFixed(3))}`;
}

function equalWords(ranked: Ranked): string {
  const { count, equalTo } = ranked;
  if (equalTo !== null) return `equal to #${equalTo}, which is newer and shown for it`;
  if (count === 1) return '';
  return [`the newest of ${count} equal results`, factorWords(ranked, 'equal')].filter(Boolean).join(', ');
}

function decayWords({ ageDays, factor, pinned }: Ranked['decay']): string {
  return `${ageWords(ageDays)} old, ${pinned ? 'pinned: no decay' : `decay ${factor.toFixed(3)}`}`;
}

/** In the largest unit that gives at least 2. */
function ageWords(ageDays: number): string {
  const hours = ageDays * 24;
  if (hours < 2) return `${Math.floor(hours * 60)} min`;
  return hours < 48 ? `${Math.floor(hours)} h` : `${Math.floor(ageDays)} days`;
}

const shownTermsMax = 8;
const neighbourWords = 'neighbouring calls match too';
const talkWords = 'what was said in its turn matches';
const dateWords = 'of the date that is asked about';
const otherDateWords = 'no memory is of the date that is asked about, so the newest come first';

/** Why it is at its rank, for a person: no figure but the rank. */
function sentenceOf(ranked: Ranked, matched: readonly AskedTerm[], background: Background): string {
  const { hasWords, isOtherDate, listedWith } = background;
  const { rank, equalTo, count, vector, session, talk, bm25, supported, decay, factors } = ranked;
  if (!hasWords) return 'The query has no word to search for.';
  if (equalTo !== null) return `Shown as #${equalTo}, which is equal and newer.`;
  if (rank === null) return 'This query does not find this memory.';
  const words = matched.slice(0, sentenceTermsMax).map(({ word }) => `“${word}”`);
  const age = `${ageWords(decay.ageDays)} old`;
  const changes = [
    ...factors.filter(({ name }) => name !== 'equal'),
    { value: decay.pinned ? 1 : decay.factor, words: age },
  ].filter(({ value }) => Math.abs(value - 1) >= shownChange);
  const clauses = [
    words.length > 0 ? `has ${words.join(', ')}` : '',
    vector.found === null ? '' : 'its meaning is near the query',
    session.found !== null && bm25.found === null ? (isOtherDate ? otherDateWords : dateWords) : '',
    session.found !== null && bm25.found !== null && supported ? neighbourWords : '',
    talk.found === null ? '' : talkWords,
    count > 1 ? `the newest of ${count} equal results` : '',
    decay.pinned ? 'pinned, so its age does not count' : '',
    ...changes.map((one) => `${one.value > 1 ? 'raised' : 'lowered'}: ${one.words}`),
    listedWith === null ? '' : `listed with rank ${listedWith}, of the same session`,
  ];
  return `Rank ${rank}: ${clauses.filter((clause) => clause !== '').join('; ')}.`;
}

const sentenceTermsMax = 6;
/** A smaller change moves nothing that a reader sees. */
const shownChange = 0.02;
