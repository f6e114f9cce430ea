import { oneLine } from './lines.ts';

/** The end of the first sentence of `text` with its full stop, or -1. */
export function sentenceEnd(text: string, from = 0): number {
  const ending = /[.!?][)"'”’»]?(?=\s|$)|[。！？]/gu;
  ending.lastIndex = from;
  for (let found = ending.exec(text); found !== null; found = ending.exec(text)) {
    const end = found.index + found[0].length;
    if (/^[\d\s.]*$/.test(text.slice(from, end)) || abbreviation.test(text.slice(Math.max(0, end - 12), end)))
      continue;
    // A plain word in lower case continues the sentence. `isOpen` and `a.b` are names that may begin one.
    if (/^\s+\p{Ll}+(?=[\s,;:)])/u.test(text.slice(end, end + 40))) continue;
    return end;
  }
  return -1;
}

const abbreviation = /(?:^|[\s(])(?:e\.g|i\.e|vs|cf|etc|resp|approx|incl|no|[A-Z])\.\)?$/;

/** The first sentence of `text`, on one line, at most `max` characters. */
export function firstSentence(text: string, max: number): string {
  const bounded = text
    .slice(0, 4 * max)
    .replace(/\s+/g, ' ')
    .trim();
  const end = sentenceEnd(bounded);
  return oneLine(end < 0 ? bounded : bounded.slice(0, end), max);
}

/** `text` split behind its sentences; what follows the last full stop is one too. */
export function sentencesOf(text: string): string[] {
  return sentencesAt(text).map(([from, to]) => text.slice(from, to).trim());
}

/** Where the sentences of `text` are, from and to; each line has its own. */
export function sentencePlaces(text: string): [number, number][] {
  let at = 0;
  return text.split('\n').flatMap((line) => {
    const begin = at;
    at += line.length + 1;
    return sentencesAt(line).map(([from, to]): [number, number] => [begin + from, begin + to]);
  });
}

function sentencesAt(text: string): [number, number][] {
  const places: [number, number][] = [];
  let from = 0;
  for (let end = sentenceEnd(text, from); end > 0; end = sentenceEnd(text, end)) {
    // A full stop within a piece of code ends nothing.
    const ticks = text.slice(from, end).split('`').length - 1;
    if (ticks % 2 === 1 && text.includes('`', end)) continue;
    places.push([from, end]);
    from = end;
  }
  return [...places, [from, text.length] as [number, number]].filter(
    ([a, b]) => text.slice(a, b).trim() !== '',
  );
}
