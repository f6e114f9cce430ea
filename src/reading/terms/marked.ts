import { indexTerms } from './index-text.ts';
import { queryTerms } from './query.ts';

/** So many words of a query are marked. */
const hitTermsMax = 64;

export interface Span {
  readonly text: string;
  readonly isMatch: boolean;
}

/** What a query's words look for, by the same terms that the index uses. */
export interface Wanted {
  readonly terms: ReadonlySet<string>;
  readonly words: readonly string[];
}

export function wantedOf(query: string): Wanted {
  const terms = queryTerms(query).slice(0, hitTermsMax);
  return { terms: new Set(terms.map(({ term }) => term)), words: terms.map(({ word }) => word) };
}

/**
 * `text` in spans: those that the query's words found, and the rest. A word counts as found when one of its index terms is
 * one of the query's, so that what is marked is what the lexical leg matched; in a compound only the part that fits.
 */
export function marked(text: string, wanted: Wanted): Span[] {
  if (wanted.terms.size === 0) return [{ text, isMatch: false }];
  const spans: Span[] = [];
  let at = 0;
  for (const { index, 0: run } of text.matchAll(runs)) {
    for (const [from, to] of foundIn(run, wanted)) {
      if (index + from > at) spans.push({ text: text.slice(at, index + from), isMatch: false });
      spans.push({ text: text.slice(index + from, index + to), isMatch: true });
      at = index + to;
    }
  }
  if (at < text.length) spans.push({ text: text.slice(at), isMatch: false });
  return spans;
}

/** As long as the longest word of the index is scanned: a run is what stands between spaces and most punctuation. */
const runs = /[\p{L}\p{M}\p{N}_./+#-]{1,200}/gu;

/** The stretches of a run that are found, in order and apart from each other: each found term where it stands as such. */
function foundIn(run: string, { terms, words }: Wanted): [number, number][] {
  const found = new Set(indexTerms(run).filter((term) => terms.has(term)));
  if (found.size === 0) return [];
  const folded = run.toLowerCase();
  const stretches = [...found, ...words].flatMap((word): [number, number][] => {
    const at = folded.indexOf(word);
    return at < 0 ? [] : [[at, at + word.length]];
  });
  return stretches.length === 0 ? [[0, run.length]] : joined(grown(stretches, run));
}

/** A stem found inside a longer word takes the rest of the word with it. */
function grown(stretches: readonly [number, number][], run: string): [number, number][] {
  return stretches.map(([from, to]) => {
    const rest = /^\p{Ll}*/u.exec(run.slice(to))?.[0].length ?? 0;
    return [from, to + rest];
  });
}

function joined(stretches: [number, number][]): [number, number][] {
  const whole: [number, number][] = [];
  for (const [from, to] of stretches.sort((a, b) => a[0] - b[0])) {
    const last = whole.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else whole.push([from, to]);
  }
  return whole;
}
