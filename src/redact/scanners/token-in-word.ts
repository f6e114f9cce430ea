import { isWord, looksRandom } from '#redact/form';

const shortPrefixChars = 3;
const base64RunChars = 24;

/** Keeps `nti` from being tried in every `authentication`: behind a letter, letters alone may only begin as in camelCase. */
export function mayBeginInWord(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(start - 1);
  if (end - start > shortPrefixChars || !isWord(before) || !isWord(text.charCodeAt(end - 1))) return true;
  return before === 95 || text.charCodeAt(end - 1) === 95 || (before >= 97 && text.charCodeAt(start) <= 90);
}

/**
 * Whether a match inside a word (`key-ghp_...`, `docs/AKIA...`) is a token: what follows its prefix looks generated, and what
 * stands before it does not. A short prefix may also be the end of a word (`task-`, `disk_`) before a hash.
 */
export function isTokenInWord(text: string, start: number, token: string, prefixLength: number): boolean {
  const prefix = token.slice(0, prefixLength);
  const body = token.slice(prefixLength);
  if (!looksRandom(body)) return false;
  const before = text.slice(Math.max(0, start - base64RunChars), start);
  const endsInSign = /[^A-Za-z0-9]$/.test(prefix);
  if (prefix.length > shortPrefixChars && endsInSign) return true;
  // Inside a long run of base64 any four letters occur.
  if (/^[A-Za-z0-9+/]{24}$/.test(before) && looksRandom(before.replace(/[+/]/g, ''))) return false;
  if (prefix.length > shortPrefixChars || !/[A-Za-z0-9]$/.test(before)) return true;
  return (/[a-z]$/.test(before) && /^[A-Z]+$/.test(prefix)) || hasBothCases(body);
}

function hasBothCases(body: string): boolean {
  return /[a-z].*[a-z].*[a-z]/.test(body) && /[A-Z].*[A-Z].*[A-Z]/.test(body);
}
