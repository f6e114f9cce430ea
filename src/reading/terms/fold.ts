/**
 * `text` with compatibility forms unified (full-width letters, ligatures) and Latin, Greek and Cyrillic
 * diacritics removed; case is kept, because camelCase is split later.
 * Only U+0300-036F are removed: marks of other scripts (Japanese voicing, Indic vowels) change the word.
 */
export function foldMarks(text: string): string {
  // Most tool output is ASCII, and normalising is expensive.
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC');
}
