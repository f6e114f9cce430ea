import { isObject, type Json } from '../event/index.ts';

/**
 * A payload whose every text is at most `limit` characters, its end cut off: for the hook, which must redact within its budget.
 * The beginning alone is kept, since an end without what came before it may be the inside of a private block.
 */
export function shorten(value: Json, limit: number): Json {
  if (typeof value === 'string') {
    return value.length <= limit ? value : `${value.slice(0, limit)}\n[... the rest was cut by memd ...]`;
  }
  if (Array.isArray(value)) return value.map((item) => shorten(item, limit));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item, limit)]));
}
