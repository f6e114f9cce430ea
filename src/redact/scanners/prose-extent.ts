import { looksRandom, type Range } from '#redact/form';

/** Where a value that a sentence hands over begins and ends. */

export const judgedCharsMax = 512;

export interface Value extends Range {
  readonly quoted: boolean;
}

/** `Token: <x>`, where a placeholder may be too. */
export function bracketedAt(text: string, at: number): Value | undefined {
  const brackets = /^[ \t]{0,4}[<[]([\w+/=.~-]{10,512})[>\]]/.exec(text.slice(at, at + judgedCharsMax));
  if (brackets === null) return undefined;
  const end = at + brackets[0].length - 1;
  const start = end - (brackets[1] ?? '').length;
  return looksRandom(text.slice(start, end)) ? { start, end, quoted: true } : undefined;
}

export function atEndOfLine(value: Range | undefined, text: string): Range | undefined {
  if (value === undefined) return undefined;
  return /^["'`”’»*]{0,3}[.:?]{0,3}[ \t]{0,40}(?:\n|$)/.test(text.slice(value.end, value.end + 48))
    ? value
    : undefined;
}

const opening = /["'`“„‘«「『]/;
export const closing = /["'`”“’»」』]/;

export function valueAt(text: string, at: number): Value | undefined {
  let start = at;
  for (let skipped = 0; skipped < 8 && /[ \t*_~(（]/.test(text.charAt(start)); skipped++) start++;
  const quoted = opening.test(text.charAt(start));
  if (quoted) start++;
  if (quoted && text.charAt(start) === ' ') start++;
  let end = start;
  if (quoted) while (end - start < judgedCharsMax && isQuotedCode(text, end)) end++;
  else while (isValueAt(text, end) && end - start < judgedCharsMax) end++;
  if (quoted && !closing.test(text.charAt(end))) return undefined;
  while (end > start && (quoted ? ' ' : '.:?*~…').includes(text.charAt(end - 1))) end--;
  if (!quoted && text.charAt(start - 1) === '_' && text.charAt(end - 1) === '_') end--;
  return end - start < 3 ? undefined : { start, end, quoted };
}

function isQuotedCode(text: string, at: number): boolean {
  return at < text.length && text.charAt(at) !== '\n' && !closing.test(text.charAt(at));
}

/** Not a space, a quotation mark, a bracket, `,` or `;`, not CJK, and not an escape inside a string. */
export function isValueAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code <= 32 || Number.isNaN(code)) return false;
  if (code === 92) return !/[nrtu"'\\]/.test(text.charAt(at + 1));
  return code < 128 ? !stops.has(code) : !wideStops.test(text.charAt(at));
}
const stops = new Set([...'"\'`<>()[]{},;'].map((sign) => sign.charCodeAt(0)));
const wideStops = /[\u2018-\u201f«»\u00a0\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]/;
