import { indexCharsMax } from '#core/limits';
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
    let ofRun = known.get(run.text);
    if (ofRun === undefined) {
      ofRun = withStems(termsOf(run));
      if (known.size >= knownMax) known.clear();
      known.set(run.text, ofRun);
    }
    for (const term of ofRun) terms.push(term);
  }
  return terms;
}

/** The terms of words seen before: the same few thousand make up most texts. */
const known = new Map<string, readonly string[]>();
const knownMax = 8_000;

function withStems(terms: readonly string[]): string[] {
  return terms.flatMap((term) => {
    const stemmed = stem(term);
    return stemmed === term ? [term] : [term, stemmed];
  });
}
