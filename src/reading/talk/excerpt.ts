import { isStopWord, stem } from '#reading/terms';
import { sentencePlaces } from '#reading/text';

/** How much of a text is looked at. */
const lookedAtMax = 200_000;
/** What a part as long as the room loses: an asked word that occurs once adds 1. */
const spread = 0.4;
const wordyChars = 24;
const comparedChars = 60;

/** The words of a query that say something, each as its stem. */
export type Asked = ReadonlySet<string>;

/** The part that fits into so many characters. */
export type Excerpt = (charsMax: number) => string;

export function askedWords(query: string): Asked {
  const parted = query.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').toLowerCase();
  const all = parted.match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = all.filter((word) => !isStopWord(word));
  return new Set((telling.length > 0 ? telling : all).map(stem));
}

/**
 * The part of a text that answers, as it is written: the whole sentences that hold most of the asked words next to each other, rarer
 * words of the text first, and as much around them as fits. Sentences of its `summary` are preferred: they say what matters. Of a single
 * sentence that is too long, the words around the first asked one.
 */
export function passageIn(text: string, asked: Asked, charsMax: number, summary = ''): string {
  const [from, to] = placeIn(sentencesIn(text, asked, summary), text, charsMax);
  return text.slice(from, to).trim();
}

/** The same on one line for any room, read once; what is left out is marked with `…`. */
export function excerpts(text: string, asked: Asked): Excerpt {
  const whole = line(text.slice(0, lookedAtMax));
  let sentences: readonly Sentence[] | null = null;
  return (charsMax) => {
    if (whole.length <= charsMax) return whole;
    sentences ??= sentencesIn(text, asked, '');
    const [from, to] = placeIn(sentences, text, charsMax - 4);
    const isFirst = text.slice(0, from).trim() === '';
    const isLast = text.slice(to).trim() === '';
    return `${isFirst ? '' : '… '}${line(text.slice(from, to))}${isLast ? '' : ' …'}`;
  };
}

function line(part: string): string {
  return part.replace(/\s+/g, ' ').replace(uuid, '$1…').trim();
}

const uuid = /\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

interface Sentence {
  readonly from: number;
  readonly to: number;
  /** The asked words in it. */
  readonly words: ReadonlySet<string>;
  /** Where the first of them begins. */
  readonly first: number;
  readonly isSummary: boolean;
}

function sentencesIn(text: string, asked: Asked, summary: string): Sentence[] {
  const looked = text.slice(0, lookedAtMax);
  const found = [...wordPlaces(looked, asked)];
  const summaryLine = line(summary);
  let next = 0;
  return sentencePlaces(looked).map(([from, to]) => {
    const words = new Set<string>();
    const [first = null] = found.slice(next, next + 1);
    for (; next < found.length && (found[next]?.at ?? 0) < to; next += 1) words.add(found[next]?.word ?? '');
    const begin = line(looked.slice(from, to)).replace(/^[\s\d.#*+-]+/, '');
    const isSummary = begin.length >= wordyChars && summaryLine.includes(begin.slice(0, comparedChars));
    return { from, to, words, first: words.size > 0 ? (first?.at ?? from) : from, isSummary };
  });
}

/** The asked words in a text. Only words that begin like one are stemmed: most do not. */
function* wordPlaces(text: string, asked: Asked): Generator<{ readonly at: number; readonly word: string }> {
  const beginnings = [...asked].map((word) => word.slice(0, Math.max(3, word.length - 1)));
  if (beginnings.length === 0) return;
  for (const { index, 0: run } of text.matchAll(
    new RegExp(`(?:${beginnings.join('|')})[\\p{L}\\p{N}]*`, 'giu'),
  )) {
    const before = text[index - 1] ?? ' ';
    const isWithin = /[\p{L}\p{N}]/u.test(before) && !(/[\p{Ll}\p{N}]/u.test(before) && /^\p{Lu}/u.test(run));
    const [own = ''] = run.split(/(?<=\p{Ll}|\p{N})(?=\p{Lu})/u);
    const word = stem(own.toLowerCase());
    if (!isWithin && asked.has(word)) yield { at: index, word };
  }
}

/** From, inclusive, to, exclusive. */
type Place = readonly [from: number, to: number];

function placeIn(sentences: readonly Sentence[], text: string, charsMax: number): Place {
  const [begin, end] = bestOf(sentences, charsMax);
  const [first, last] = [sentences[begin], sentences[end - 1]];
  if (first === undefined || last === undefined) return [0, Math.min(text.length, charsMax)];
  if (last.to - first.from > charsMax) return aroundWord(text, first, charsMax);
  // A line that begins with a small letter goes on with a sentence.
  const above = sentences[begin - 1];
  const isBegun = above !== undefined && /^\s*\p{Ll}/u.test(text.slice(first.from, first.to));
  return grown(sentences, isBegun && last.to - above.from <= charsMax ? begin - 1 : begin, end, charsMax);
}

/** The first of the parts with the best score: its different asked words, the best sentence in it, and how near they are. */
function bestOf(sentences: readonly Sentence[], charsMax: number): Place {
  const counts = new Map<string, number>();
  for (const { words } of sentences) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const worth = (word: string): number => 1 / Math.sqrt(counts.get(word) ?? 1);
  // A sentence of the summary adds as much as a word does on average.
  const inSummary = [...counts.keys()].reduce((sum, word) => sum + worth(word), 0) / (counts.size || 1);
  let [best, place]: [number, Place] = [-1, [0, 1]];
  for (const [begin, { from, ...one }] of sentences.entries()) {
    if (begin > 0 && one.words.size === 0 && !one.isSummary) continue;
    const seen = new Set<string>();
    let [score, summary] = [0, 0];
    for (let end = begin; end < sentences.length; end += 1) {
      const { to, words, isSummary } = sentences[end] ?? { to: 0, words: seen, isSummary: false };
      if (end > begin && to - from > charsMax) break;
      if (words.size === 0 && !isSummary && end > begin) continue;
      for (const word of words) if (!seen.has(word)) score += worth(word);
      for (const word of words) seen.add(word);
      if (isSummary) summary = inSummary;
      const total = score + summary - (spread * Math.min(charsMax, to - from)) / charsMax;
      if (total > best + 1e-9) [best, place] = [total, [begin, end + 1]];
    }
  }
  return place;
}

/** With the sentences around it that fit, what follows first. */
function grown(sentences: readonly Sentence[], begin: number, end: number, charsMax: number): Place {
  let [from, to] = [sentences[begin]?.from ?? 0, sentences[end - 1]?.to ?? 0];
  let [before, after] = [begin - 1, end];
  for (let grew = true; grew; ) {
    grew = false;
    const [next, last] = [sentences[after], sentences[before]];
    if (next !== undefined && next.to - from <= charsMax) {
      [to, after, grew] = [next.to, after + 1, true];
    }
    if (last !== undefined && to - last.from <= charsMax) {
      [from, before, grew] = [last.from, before - 1, true];
    }
  }
  return [from, to];
}

/** The words of one long sentence around the first asked one. */
function aroundWord(text: string, { from, to, first }: Sentence, charsMax: number): Place {
  const near = Math.max(from, first - Math.floor(charsMax / 4));
  const begin = near === from ? from : Math.min(first, text.indexOf(' ', near) + 1 || first);
  if (to - begin <= charsMax) return [begin, to];
  const space = text.lastIndexOf(' ', begin + charsMax);
  const end = space > begin + charsMax / 2 ? space : begin + charsMax;
  const isHalf = /[\ud800-\udbff]/.test(text[end - 1] ?? '');
  return [begin, isHalf ? end - 1 : end];
}
