import { isObject, type Json, type JsonObject } from '#core/event';
import { isPlaceholder, outerBracket, ranks, type Scanner } from '#redact/form';

const redactJwkCharsMax = 16 * 1024;

/** The private members of a JSON Web Key (RFC 7518, 6.2.2, 6.3.2 and 6.4); `r`, `d` and `t` also in its `oth`. */
const privateMembers = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']);

export function isPrivateMember(object: JsonObject, member: string): boolean {
  return typeof object['kty'] === 'string' && privateMembers.has(member);
}

/** The value of a private member with its texts replaced. */
export function withoutTexts(value: Json, shown: (text: string) => string): Json {
  if (typeof value === 'string') return value === '' || isPlaceholder(value) ? value : shown(value);
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item, shown));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutTexts(item, shown)]));
}

/** Private members of a key in a text: JSON, also inside a string, or flow style YAML. */
export const jsonWebKeys: Scanner = {
  keywords: ['kty'],
  begin: (text, add) => (start, end, readUpTo) => {
    if (!/^\\{0,7}["']?\s{0,20}:/.test(text.slice(end, end + 32))) return 0;
    const least = Math.max(readUpTo, start - redactJwkCharsMax);
    const from = outerBracket(text, start - 1, least - 1, { opening: '}', closing: '{' }) ?? least;
    const most = Math.min(text.length, end + redactJwkCharsMax);
    const to = outerBracket(text, end, most, { opening: '{', closing: '}' }) ?? most;
    const object = text.slice(from, to);
    for (const match of object.matchAll(member)) {
      const value = match[1] ?? '';
      const at = from + match.index + match[0].lastIndexOf(value);
      add({ start: at, end: at + value.length, kind: 'private-key', rank: ranks.block });
    }
    return to;
  },
};

const member =
  /(?<=[{,\s])\\{0,7}["']?(?:d|p|q|dp|dq|qi|k|r|t)\\{0,7}["']?\s{0,20}:\s{0,20}\\{0,7}["']?([A-Za-z0-9_+/-]{16,8192}={0,2})(?=[\\"'\s,}]|$)/g;
