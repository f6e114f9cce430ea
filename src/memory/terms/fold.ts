/**
 * `text` with compatibility forms unified (full-width letters, ligatures) and Latin, Greek and Cyrillic
 * diacritics removed; case is kept, because the humps of camelCase are read from it later.
 * Only U+0300-036F go: other scripts' marks (Japanese voicing, Indic vowels) change the word.
 */
export function foldMarks(text: string): string {
  // Most of what tools print is ASCII: nothing to do, and normalising is the dearest step here.
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC');
}
