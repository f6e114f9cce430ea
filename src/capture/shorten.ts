import { isObject, type Json } from '../event/index.ts';
import { redactTailCharsMax } from '../limits.ts';

/**
 * A payload whose every text is at most `limit` characters, its end cut off: for the hook, which must redact within its budget.
 * The beginning alone is kept, since an end without what came before it may be the inside of a private block.
 */
export function shorten(value: Json, limit: number): Json {
  if (typeof value === 'string') {
    if (value.length <= limit) return value;
    return `${value.slice(0, endOfWords(value, limit))}\n[... the rest was cut by memd ...]`;
  }
  if (Array.isArray(value)) return value.map((item) => shorten(item, limit));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item, limit)]));
}

/** Behind the last whole word before `limit`: no rule knows half a token. Of a word without end so much goes as a token may have. */
function endOfWords(text: string, limit: number): number {
  const least = Math.max(0, limit - redactTailCharsMax);
  let end = limit;
  while (end > least && /\S/.test(text.charAt(end - 1))) end -= 1;
  return end;
}
