import { redactText } from '#redact/engine';

export const builtinTermsCharsMax = 1_000;
const builtinTermCharsMax = 120;
const builtinTermRepeatsMax = 3;

/** Words that are in every second text and find nothing. */
const fillers = new Set(
  (
    'a an and are as at be been but by can do does for from had has have if in into is it its of on or so ' +
    'such than that the their then there these they this to was we were will with would you your ' +
    'const let var func function return nil null undefined true false else elif err fmt self string int bool ' +
    'void end fi done div span'
  ).split(' '),
);

const word = /-{0,2}[\p{L}\p{N}_$][\p{L}\p{M}\p{N}_$./:@#+-]*/gu;
const placeholder = /<redacted:[^<>\s]{0,60}>/g;

/** The words of a text: identifiers, paths, versions and flags stay whole. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [found] of text.replace(placeholder, ' ').matchAll(word)) {
    const trimmed = trimEnd(found);
    if (trimmed !== '') words.push(trimmed);
  }
  return words;
}

/**
 * Up to `builtinTermsCharsMax` characters of words from `sources`, the most important source first. A frequent word is repeated
 * up to `builtinTermRepeatsMax` times, since BM25 counts repetitions. Measured over real calls, commit queries: nDCG@10 .240,
 * against .223 with each word once.
 */
export function termsFrom(sources: readonly string[]): string {
  const counts = new Map<string, number>();
  const terms: string[] = [];
  let room = builtinTermsCharsMax;
  for (const source of sources) {
    for (const found of wordsOf(source)) {
      const term = cutWord(found);
      const key = term.toLowerCase();
      const count = counts.get(key) ?? 0;
      if (count >= builtinTermRepeatsMax || !informative(term, key)) continue;
      // The first word that does not fit ends the list, which stays in order of weight.
      if (term.length + 1 > room) return redacted(terms);
      counts.set(key, count + 1);
      terms.push(term);
      room -= term.length + 1;
    }
  }
  return redacted(terms);
}

/** Redacts once more: where a placeholder was left out, another word may follow `password`. */
function redacted(terms: readonly string[]): string {
  return redactText(terms.join(' ')).text.slice(0, builtinTermsCharsMax);
}

export function informative(term: string, key = term.toLowerCase()): boolean {
  if (term === '' || fillers.has(key)) return false;
  if (term.length === 1) return term > '\u2e7f';
  return true;
}

/** Keeps the end of an overlong path, and nothing of an overlong blob. */
function cutWord(found: string): string {
  if (found.length <= builtinTermCharsMax) return found;
  if (found.includes('/')) {
    const end = found.slice(-builtinTermCharsMax);
    return end.slice(end.indexOf('/') + 1);
  }
  return /^[\x20-\x7e]*$/.test(found) ? '' : found.slice(0, builtinTermCharsMax);
}

function trimEnd(found: string): string {
  let end = found.length;
  while (end > 0 && './:@#+-'.includes(found.charAt(end - 1))) end -= 1;
  return found.slice(0, end);
}
