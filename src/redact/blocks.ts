import { redactBlockCharsMax, redactTailCharsMax } from '../limits.ts';
import { ranks, type Scanner } from './rule.ts';
import { isPlaceholder } from './value.ts';

/** `<private>...</private>`, which a person may put around anything; unclosed, to the end of the text. */
export const privateParts: Scanner = {
  keywords: ['<private', '\\u003cprivate'],
  begin(text, add) {
    let coveredUpTo = 0;
    return (start) => {
      if (start < coveredUpTo) return;
      // Only at the keyword itself: to look further on from each would read a text without tags again and again.
      opening.lastIndex = start;
      if (!opening.test(text)) return;
      coveredUpTo = endOfPrivate(text, start);
      add({ start, end: coveredUpTo, kind: 'private', rank: ranks.private });
    };
  },
};

const opening = /(?:<|\\u003c)private(?:\s[^<>]{0,200})?(?:>|\\u003e)/iy;
const tag = /(?:<|\\u003c)(\/?)private(?:\s[^<>]{0,200})?(?:>|\\u003e)/gi;

/** Behind the tag that closes the one at `start`, whatever pairs stand between. */
function endOfPrivate(text: string, start: number): number {
  let depth = 0;
  tag.lastIndex = start;
  for (let match = tag.exec(text); match !== null; match = tag.exec(text)) {
    depth += match[1] === '/' ? -1 : 1;
    if (depth === 0) return tag.lastIndex;
  }
  return text.length;
}

/**
 * Private keys in PEM (RFC 7468), OpenSSH's and PGP's armour: the whole block, also inside a string (`\n`), with
 * line numbers before each line, cut off before its end, or with only its end left.
 */
export const privateKeys: Scanner = {
  keywords: ['-----begin ', '-----end '],
  begin(text, add) {
    let coveredUpTo = 0;
    return (start) => {
      if (start < coveredUpTo) return;
      const end = blockEnd(text, start);
      if (end !== undefined) {
        coveredUpTo = end.end;
        add({ ...end, kind: 'private-key', rank: ranks.block });
      }
    };
  },
};

const header = /-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const footer = /-----END[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
// What may stand between: base64, its armour's headers, escapes, quotes, line numbers and comment signs.
const inside = /(?:(?!-----)[A-Za-z0-9+/=\s\\:,."'`|→>#*()%-]){0,65536}/y;
const lines =
  /(?:(?:\\[nrt]|[\s"'+,>|→\d])*(?:[A-Za-z0-9+/=]{16,}|(?:Proc-Type|DEK-Info|Version|Comment|Charset): ?[^\n\\]{0,120}))+/y;

function blockEnd(text: string, start: number): { start: number; end: number } | undefined {
  header.lastIndex = start;
  if (!header.test(text)) return tailOf(text, start);
  const from = header.lastIndex;
  inside.lastIndex = from;
  inside.test(text);
  const between = inside.lastIndex;
  footer.lastIndex = between;
  if (footer.test(text)) {
    return /[A-Za-z0-9+/=]{10,}/.test(text.slice(from, between))
      ? { start, end: footer.lastIndex }
      : undefined;
  }
  lines.lastIndex = from;
  return lines.test(text) ? { start, end: lines.lastIndex } : undefined;
}

/** The last lines of a key whose beginning was cut off. */
function tailOf(text: string, start: number): { start: number; end: number } | undefined {
  footer.lastIndex = start;
  if (!footer.test(text)) return undefined;
  let from = start;
  while (from > 0 && start - from < redactTailCharsMax && /[A-Za-z0-9+/=\s\\→]/.test(text.charAt(from - 1)))
    from--;
  const body = /[A-Za-z0-9+/=]{24}/.exec(text.slice(from, start));
  return body === null ? undefined : { start: from + body.index, end: footer.lastIndex };
}

/** The values of a Kubernetes Secret's `data` and `stringData`. */
export const kubernetesSecrets: Scanner = {
  keywords: ['secret'],
  begin(text, add) {
    let documentEnd = 0;
    return (start, end) => {
      if (start < documentEnd) return;
      if (!/kind["']?:[ \t]{0,8}["']?$/.test(text.slice(Math.max(0, start - 24), start))) return;
      if (!/^["']?[ \t]*(?:\r?\n|$|,)/.test(text.slice(end, end + 12))) return;
      const from = Math.max(0, start - redactBlockCharsMax);
      const opening = text.lastIndexOf('\n---', start);
      const closing = text.indexOf('\n---', end);
      const first = Math.max(from, opening === -1 ? 0 : opening + 4, documentEnd);
      documentEnd = Math.min(closing === -1 ? text.length : closing, start + redactBlockCharsMax);
      for (const span of dataOf(text.slice(first, documentEnd))) {
        add({
          start: first + span.start,
          end: first + span.end,
          kind: 'kubernetes-secret',
          rank: ranks.token,
        });
      }
    };
  },
};

function* dataOf(document: string): Generator<{ start: number; end: number }> {
  let at = 0;
  let depth: number | undefined;
  let folded = -1;
  for (const line of document.split('\n')) {
    const indent = line.length - line.trimStart().length;
    if (/^\s*(?:data|stringData):\s*$/.test(line)) depth = indent;
    else if (depth !== undefined && line.trim() !== '' && !line.trimStart().startsWith('#')) {
      if (indent <= depth) depth = undefined;
      else {
        const value =
          folded >= 0 && indent > folded
            ? /^\s*(\S.*?)\s*$/.exec(line)
            : /^\s*[\w.'"-]+:\s*["']?([^\s"'].*?)["']?\s*$/.exec(line);
        const text = value?.[1];
        if (text !== undefined && !/^[|>][-+]?$/.test(text) && !isPlaceholder(text)) {
          const start = at + line.indexOf(text, folded >= 0 && indent > folded ? 0 : line.indexOf(':'));
          yield { start, end: start + text.length };
        }
        if (!(folded >= 0 && indent > folded)) folded = /:\s*[|>][-+]?\s*$/.test(line) ? indent : -1;
      }
    }
    at += line.length + 1;
  }
}
