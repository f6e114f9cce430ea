import { queryCharsMax } from '#core/limits';
import { looksHashed, termsOf } from './parts.ts';
import { type Scanned, scan } from './scan.ts';
import { stem } from './stem.ts';
import { isStopWord } from './stop-words.ts';

export const queryTermsMax = 128;

/** One term of a query. */
export interface QueryTerm {
  /** As in the index: the stem if the word has one. */
  readonly term: string;
  /** As a person wrote it, in lower case. */
  readonly word: string;
  /** Estimated significance: 0.5 (a part) to 3 (a path, a code). For choosing terms, not for scores. */
  readonly weightHint: number;
  /** For the start of a hash: matches every term that begins with it. */
  readonly prefix: boolean;
}

/** A term to ask the full-text index for. */
export interface AskedWord {
  readonly term: string;
  readonly prefix: boolean;
  /** The number of summaries with it. */
  readonly documents: number;
}

/**
 * The distinct terms of `query` in its order. Of more than `queryTermsMax` (a pasted stack trace) the most significant. None if
 * the query is empty or has only stop words, emoji or punctuation.
 `isStop`: the words to leave out.
 */
export function queryTerms(query: string, isStop = isStopWord): QueryTerm[] {
  const found = new Map<string, QueryTerm>();
  for (const run of scan(query.slice(0, queryCharsMax))) {
    for (const candidate of termsOfRun(run, isStop)) {
      const known = found.get(candidate.term);
      if (known === undefined || known.weightHint < candidate.weightHint)
        found.set(candidate.term, candidate);
    }
  }
  return mostTelling([...found.values()], queryTermsMax, (term) => term.weightHint);
}

/**
 * The FTS5 MATCH expression for any of `terms`, or null without terms. Every term is a quoted string, in which FTS5 has no syntax (https://www.sqlite.org/fts5.html#fts5_strings): it cannot fail.
 */
export function matchExpression(terms: readonly Pick<QueryTerm, 'term' | 'prefix'>[]): string | null {
  if (terms.length === 0) return null;
  return terms.map(({ term, prefix }) => `"${term.replaceAll('"', '""')}"${prefix ? '*' : ''}`).join(' OR ');
}

/** The `limit` terms of the highest weight, in their order; of equal ones the earlier. */
export function mostTelling<T>(terms: readonly T[], limit: number, weightOf: (term: T) => number): T[] {
  if (terms.length <= limit) return [...terms];
  return terms
    .map((term, at) => ({ term, at, weight: weightOf(term) }))
    .sort((a, b) => b.weight - a.weight || a.at - b.at)
    .slice(0, limit)
    .sort((a, b) => a.at - b.at)
    .map(({ term }) => term);
}

function* termsOfRun(run: Scanned, isStop: typeof isStopWord): Generator<QueryTerm> {
  const terms = termsOf(run);
  for (const [at, term] of terms.entries()) {
    if (isStop(term)) continue;
    if (run.kind === 'unspaced') {
      // A single character of a longer run is in too many words to be significant.
      if ([...term].length === 1 && terms.length > 1) continue;
      yield { term, word: term, weightHint: 1, prefix: false };
      continue;
    }
    // A single letter or digit out of a compound (`v`, `x` of `x-y`) is noise; typed alone it is meant.
    if (at > 0 && term.length < 2) continue;
    // The index holds word and stem, `half-life` and `halflife`: the last of each finds both, and both would count one word twice.
    const asked = terms.find((one) => one === term.replace(/[-_]/g, '')) ?? term;
    const weightHint = at === 0 ? weightOf(run.text) : 0.5;
    yield { term: stem(asked), word: term, weightHint, prefix: looksHashed(asked) };
  }
}

function weightOf(word: string): number {
  if (/[-_./+#\d]/.test(word)) return 3;
  if (/\p{Ll}\p{Lu}/u.test(word)) return 2.5;
  return word.length < 3 ? 0.5 : Math.min(2, 0.5 + word.length / 8);
}
