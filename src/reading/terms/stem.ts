/**
 * The stem of a lower-case English word, or the word itself: inflections get one stem (`caches`, `cached`,
 * `caching`, `cache`), and so do the commonest derivations of technical English (`validation`, `validator`,
 * `validate`). Lighter than Porter's (1980): a stem shorter than three letters is never made, and words of
 * up to three letters, or with anything but a-z in them, are left alone.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  return withoutSilentE(withoutDerivation(withoutVerbEnding(withoutPlural(word))));
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word;
  if (/(?:x|ch|sh|ss|zz)es$/.test(word)) return word.slice(0, -2);
  if (/[^siu]s$/.test(word)) return word.slice(0, -1);
  return word;
}

function withoutVerbEnding(word: string): string {
  const ending = word.endsWith('ing') ? 3 : word.endsWith('ed') ? 2 : 0;
  const base = word.slice(0, word.length - ending);
  if (ending === 0 || base.length < 3 || !/[aeiouy]/.test(base)) return word;
  // `validated` -> `valid`, as `validate`; `repeated` and `floating` keep theirs.
  if (base.length >= 6 && /[^eo]at$/.test(base)) return base.slice(0, -2);
  // `running` -> `run`, but `calling` -> `call`, `passed` -> `pass`.
  return /([^aeiouylsz])\1$/.test(base) ? base.slice(0, -1) : base;
}

function withoutDerivation(word: string): string {
  for (const [ending, instead, lettersMin] of derivations) {
    if (word.endsWith(ending) && word.length - ending.length >= lettersMin) {
      return word.slice(0, word.length - ending.length) + instead;
    }
  }
  return word;
}

function withoutSilentE(word: string): string {
  return word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word;
}

/** Ending, replacement, and the fewest letters before it. The first that fits is used. */
const derivations: readonly (readonly [string, string, number])[] = [
  ['isation', 'iz', 3],
  ['ization', 'iz', 3],
  ['ification', 'ify', 3],
  ['ation', '', 4],
  ['ator', '', 4],
  ['ate', '', 4],
  ['iser', 'iz', 3],
  ['izer', 'iz', 3],
  ['ise', 'iz', 3],
  ['ment', '', 4],
  ['ness', '', 3],
  ['tion', 't', 3],
  ['ssion', 'ss', 3],
  ['ly', '', 3],
];
