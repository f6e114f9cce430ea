import { indexCharsMax } from '../../core/limits.ts';
import { termsOf } from './parts.ts';
import { scan } from './scan.ts';
import { stem } from './stem.ts';

/**
 * The content of a full-text column for `text`: its terms in order, separated by spaces, with repeats (BM25 counts them). A
 * word whose stem differs is indexed as both, so that plain SQL finds the word as it was written. Reads at most `indexCharsMax` characters.
 */
export function indexText(text: string): string {
  return indexTerms(text).join(' ');
}

/** `indexText` as a list. */
export function indexTerms(text: string): string[] {
  const terms: string[] = [];
  for (const run of scan(text.slice(0, indexCharsMax))) {
    for (const term of termsOf(run)) {
      terms.push(term);
      const stemmed = stem(term);
      if (stemmed !== term) terms.push(stemmed);
    }
  }
  return terms;
}
