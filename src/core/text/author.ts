import { oneLine } from './visible.ts';

export const authorCharsMax = 200;

/**
 * An author's name as it is kept: on one line, without what is not seen. A name that may look like that of another ends with `?`: with
 * something in it that is not seen, with other forms of known letters, or with letters of two scripts in one word.
 */
export function authorName(given: string): string {
  const whole = given.trim().normalize('NFC');
  const name = oneLine(whole.replace(/[\u200c-\u200d]|[\ufe00-\ufe0f\u2800]/g, ''), authorCharsMax - 1);
  if (!/[\p{L}\p{N}]/u.test(name)) return 'unknown';
  const isPlain = name === whole && name === name.normalize('NFKC') && !isMixed(name);
  return isPlain || name.endsWith('?') ? name : `${name}?`;
}

/** Words of scripts that are usually written together, such as Latin and Han, are not meant. */
function isMixed(name: string): boolean {
  const words = name.match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.some((word) => /\p{Script=Latin}/u.test(word) && alike.test(word));
}

/** Scripts with letters that look like Latin ones. */
const alike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}]/u;
