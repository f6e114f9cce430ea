import { matchAt, type Range, ranks, type Scanner } from '#redact/form';

/**
 * `<private>...</private>`, which a user may put around anything. Without a closing tag it reaches to the end of
 * the text.
 */
export const privateParts: Scanner = {
  keywords: ['<', '&lt;', '&#60;', '&#x3c;', '\\u003c', '%3c'].flatMap((sign) =>
    ['private', '/private', '%2fprivate'].map((word) => sign + word),
  ),
  begin: (text, add, notes) => (start, _end, readUpTo) => {
    // Sticky, at the keyword only: a search from each keyword would be quadratic.
    const match = matchAt(tagHere, text, start);
    if (match === null) return 0;
    const isClosing = match[1] !== undefined;
    const closing = isClosing ? undefined : endOfPrivate(text, start);
    if (closing === undefined) notes.hasLooseEnd = true;
    const end = isClosing ? start + match[0].length : (closing ?? text.length);
    // Earlier versions of memd redacted only the line with the opening tag.
    const opening = isClosing ? text.slice(readUpTo, start).lastIndexOf(placeholderOfOld) : 0;
    const from = isClosing ? readUpTo + opening : start;
    if (opening !== -1) add({ start: from, end, kind: 'private', rank: ranks.private });
    return end;
  },
};

const placeholderOfOld = '<redacted:private>';

const tagHere =
  /(?:<|&lt;|&#60;|&#x3c;|\\u003c|%3c)(\/|%2f)?private(?:\s[^<>]{0,200}?)?(?:>|&gt;|&#62;|&#x3e;|\\{1,8}u003e|%3e)/iy;
const tag = new RegExp(tagHere.source, 'gi');

/** The offset after the matching closing tag, or undefined. */
function endOfPrivate(text: string, start: number): number | undefined {
  let depth = 0;
  tag.lastIndex = start;
  for (let match = tag.exec(text); match !== null; match = tag.exec(text)) {
    depth += match[1] !== undefined ? -1 : 1;
    if (depth === 0) return tag.lastIndex;
  }
  return undefined;
}

/** Whether a private span ends with a closing tag rather than with the text. */
export function isClosedPart(text: string, { start, end }: Range): boolean {
  return closingAtEnd.test(text.slice(Math.max(start, end - 220), end));
}

const closingAtEnd = /private\s{0,200}(?:>|&gt;|&#62;|&#x3e;|\\u003e|%3e)$/i;

export function tagAt(text: string, start: number): string {
  return matchAt(tagHere, text, start)?.[0] ?? '';
}

export function closingTags(text: string): string {
  return (text.match(tag) ?? []).slice(0, closingTagsMax).join('');
}

const closingTagsMax = 64;
