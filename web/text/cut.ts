import { marked, stem, type Wanted } from '#reading/terms';

/** The first `chars` of `text`, never half of a surrogate pair. */
export function head(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const last = text.charCodeAt(chars - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? chars - 1 : chars);
}

/** One line of at most `chars`, with an ellipsis where it is cut. */
export function oneLine(text: string, chars: number): string {
  const flat = head(text, chars * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return flat.length > chars ? `${head(flat, chars - 1).trimEnd()}…` : flat;
}

/** Of each link of Markdown its words: the page leads nowhere else. */
export function withoutLinks(text: string): string {
  return text.replace(/\[([^\]\n]{1,300})\]\([^)\s]{1,500}\)/g, '$1');
}

/** The part in one line that has most of the different words, from the beginning of a sentence where one is near. */
export function partOf(text: string, wanted: Wanted, chars: number): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  const from = flat.length <= chars ? 0 : beginOf(flat, wanted, chars);
  const part = flat.slice(from);
  // A long word, or a sentence of a script without spaces, is cut within it.
  const cut = part.length <= chars ? part : `${head(part, chars).replace(/ \S{0,30}$/, '')} …`;
  return from === 0 ? cut : `… ${cut}`;
}

function beginOf(text: string, wanted: Wanted, chars: number): number {
  let at = 0;
  const found = marked(text, wanted).flatMap((span) => {
    at += span.text.length;
    return span.isMatch ? [{ at: at - span.text.length, word: stem(span.text.toLowerCase()) }] : [];
  });
  const room = chars - leadChars;
  // Those next to each other.
  const worth = found.map(({ at: from }, nth) => {
    const words = new Map<string, number>();
    for (const { at: place, word } of found.slice(nth))
      if (place < from + room && !words.has(word)) words.set(word, place - from);
    return words.size - Math.max(...words.values()) / 10_000;
  });
  const best = found[worth.indexOf(Math.max(...worth))]?.at ?? 0;
  if (best < room) return 0;
  const before = text.slice(best - leadChars, best);
  const [lead = ''] = /(?<=[.!?:;] |[。！？]).*$/.exec(before) ?? /(?<= ).*$/.exec(before) ?? [];
  return best - lead.length;
}

/** Of the characters of a part, those that may be before the first word. */
const leadChars = 60;
