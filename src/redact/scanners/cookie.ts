import { endAt, isPlaceholder, looksRandom, matchAt, ranks, type Scanner } from '#redact/form';

const redactValueCharsMax = 8_192;

/** Values in `Cookie` and `Set-Cookie` headers (RFC 6265), and the session cookies of well-known frameworks. */
export const cookies: Scanner = {
  keywords: ['cookie', 'sessid', 'sessionid', 'connect.sid', '_session='],
  begin: (text, add) => (start, end) => {
    const inHeader = /^cookie$/i.test(text.slice(start, end));
    const from = inHeader ? endAt(opening, text, end) : startOfName(text, start);
    if (from === undefined) return 0;
    let at = from;
    for (let match = matchAt(pair, text, at); match !== null; match = matchAt(pair, text, at)) {
      const [whole, before = '', name = '', value = ''] = match;
      at += whole.length;
      if (at - from > redactValueCharsMax) break;
      const valueAt = match.index + before.length + name.length + 1;
      if (!isAttribute(name) && (inHeader ? isSession(name, value) : looksRandom(value)))
        add({ start: valueAt, end: valueAt + value.length, kind: 'cookie', rank: ranks.token });
    }
    return at;
  },
};

// The sign after a header name and an opening quote.
const opening = /\\{0,7}["'`]?\]?[ \t]{0,20}(?::|=|,|is )[ \t]{0,20}(?:\\{0,7}["'`])?/y;
const pair = /([;\s]{0,8})([\w.%$-]{1,128})=((?:[^\s;,"'`\\<>]){1,4096})/y;

function startOfName(text: string, start: number): number {
  let at = start;
  while (at > 0 && start - at < 40 && /[\w.]/.test(text.charAt(at - 1))) at--;
  return at;
}

function isAttribute(name: string): boolean {
  return /^(?:path|domain|expires|max-age|samesite|priority|secure|httponly|partitioned|version)$/i.test(
    name,
  );
}

function isSession(name: string, value: string): boolean {
  if (isPlaceholder(value)) return false;
  return (
    looksRandom(value) ||
    (value.length >= 12 && /\d/.test(value)) ||
    (/sess|sid$|auth|token|login|user|jwt|csrf|xsrf|remember|id$/i.test(name) &&
      value.length >= 4 &&
      /\d/.test(value))
  );
}
