import type { Scanned } from './scan.ts';

/**
 * The terms of one scanned run: itself, the words in it, the end of a path, the compound in one word (`half_life`, `half-life`
 * and `halfLife` all give `halflife`). Lower case, most significant first.
 */
export function termsOf(run: Scanned): string[] {
  return run.kind === 'unspaced' ? gramsOf(run.text) : wordTerms(run.text);
}

/** Two-character grams, and every character alone, so that a one-character query finds its word too. */
function gramsOf(run: string): string[] {
  const characters = [...run.toLowerCase()];
  const grams: string[] = [];
  for (let at = 0; at + 1 < characters.length; at++) grams.push(characters.slice(at, at + 2).join(''));
  return [...grams, ...characters];
}

function wordTerms(word: string): string[] {
  const whole = word.toLowerCase();
  if (/^[a-z]+$/.test(word) || isUniform(word)) return [whole];
  const terms = [whole];
  const segments = word.split('/');
  if (segments.length > 2) terms.push(segments.slice(-2).join('/').toLowerCase());
  for (const segment of segments) {
    if (segments.length > 1) terms.push(segment.toLowerCase());
    terms.push(...segmentTerms(segment));
  }
  return unique(terms);
}

/** The terms inside a path segment or identifier, without the segment itself. */
function segmentTerms(segment: string): string[] {
  const version = /^v?(\d+(?:\.\d+)+)/i.exec(segment);
  if (version !== null) return versionTerms(segment, version);
  const terms: string[] = [];
  for (const dotted of segment.split(/[.+#]/)) {
    if (dotted === '') continue;
    if (dotted.length !== segment.length) terms.push(dotted.toLowerCase());
    const words = dotted.split(/[-_]/).flatMap(humps);
    if (words.length < 2) continue;
    terms.push(...words);
    if (words.length <= joinedWordsMax) terms.push(words.join(''));
  }
  return terms;
}

/** `HTTPServerV2` -> `http`, `server`, `v2`; `TS2345` -> `ts`, `2345`; a hash stays whole. */
function humps(word: string): string[] {
  if (word === '') return [];
  const code = /^([A-Za-z]{1,8})(\d{2,})$/.exec(word);
  if (code?.[1] !== undefined && code[2] !== undefined) {
    return [code[1].toLowerCase(), code[2]];
  }
  if (looksHashed(word)) return [word.toLowerCase()];
  return word
    .split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
    .map((hump) => hump.toLowerCase());
}

/** One word without camelCase, joiners or mixed digits. */
function isUniform(word: string): boolean {
  return /^\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+$/u.test(word) || /^(?:\p{Lu}+|\p{N}+)$/u.test(word);
}

/** `v1.2.3-rc.1` -> itself without the `v`, `1.2.3`, and the rest with its own terms. */
function versionTerms(segment: string, [begin, figures = '']: RegExpExecArray): string[] {
  const rest = segment.slice(begin.length).replace(/^[-_.+#]+/, '');
  const whole = segment.toLowerCase().replace(/^v/, '');
  return rest === '' ? [whole] : [whole, figures, rest.toLowerCase(), ...segmentTerms(rest)];
}

/** Looks like the hexadecimal of a commit, digest or uuid. */
export function looksHashed(word: string): boolean {
  return word.length >= 7 && /^[0-9a-f]+$/i.test(word) && /\d/.test(word);
}

/** A compound of more words is not typed as one word. */
const joinedWordsMax = 4;

function unique(terms: readonly string[]): string[] {
  return [...new Set(terms.filter((term) => term !== ''))];
}
