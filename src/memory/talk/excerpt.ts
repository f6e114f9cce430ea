import { sentencesOf } from '../../calls/text/index.ts';
import { isStopWord, stem } from '../terms/index.ts';

/** How much of a text is looked at. */
const lookedAtMax = 200_000;
/** A sentence of the summary is worth as much as so many asked words that occur once. */
const inSummary = 1;
const wordyChars = 24;
const comparedChars = 60;

/** The words of a query that say something, each as its stem. */
export type Asked = ReadonlySet<string>;

/** The part that fits into so many characters. */
export type Excerpt = (charsMax: number) => string;

export function askedWords(query: string): Asked {
  const all = wordsOf(query);
  const telling = all.filter((word) => !isStopWord(word));
  return new Set((telling.length > 0 ? telling : all).map(stem));
}

/**
 * The part of a text that answers, on one line: whole sentences around the one with most of the asked words. What is left out is
 * marked with `…`. A single sentence that is too long is cut between words, around what was asked. The returned function takes the
 * room in characters, so that one text is read once for several rooms. Sentences of its `summary` are preferred: they say what matters.
 */
export function excerpts(text: string, asked: Asked, summary = ''): Excerpt {
  const line = (part: string): string => part.replace(/\s+/g, ' ').replace(uuid, '$1…').trim();
  const looked = withoutMarks(text.slice(0, lookedAtMax));
  const whole = line(looked);
  // Lines and clauses where there are no sentences.
  const parts = looked
    .split(/\n+|; /)
    .flatMap(sentencesOf)
    .map(line)
    .filter((part) => part !== '');
  const best = bestOf(parts, asked, line(summary));
  return (charsMax) => {
    if (whole.length <= charsMax) return whole;
    const first = parts[best] ?? '';
    if (first.length > charsMax - 4) return aroundWords(first, asked, charsMax);
    const [from, to] = grown(parts, best, charsMax - 4);
    const [before, after] = [from > 0 ? '… ' : '', to < parts.length ? ' …' : ''];
    return `${before}${parts.slice(from, to).join(' ')}${after}`;
  };
}

/** Markdown as one line reads it: a heading is a sentence, bold is plain. A `**` in a path stays. */
function withoutMarks(text: string): string {
  return text
    .replace(/^ {0,3}#{1,6} +(.+)$/gm, (_, heading: string) => {
      const words = heading.trimEnd();
      return /[.:?!]$/.test(words) ? words : `${words}.`;
    })
    .replace(/(?<![\w/*.])\*\*(?=[^\s*/])([^*\n]+)\*\*(?![\w/*])/g, '$1');
}

/** The sentences around the `best` that fit, from the first, inclusive, to the second, exclusive. */
function grown(parts: readonly string[], best: number, charsMax: number): readonly [number, number] {
  let [from, to] = [best, best + 1];
  let chars = (parts[best] ?? '').length;
  for (let grew = true; grew; ) {
    grew = false;
    for (const next of [to, from - 1]) {
      const part = parts[next];
      if (part === undefined || chars + 1 + part.length > charsMax) continue;
      chars += 1 + part.length;
      if (next === to) to += 1;
      else from -= 1;
      grew = true;
    }
  }
  return [from, to];
}

const uuid = /\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

/** The first of those with the most different asked words; rarer words of the text count more. */
function bestOf(parts: readonly string[], asked: Asked, summary: string): number {
  const found = parts.map(
    (part) =>
      new Set(
        wordsOf(part)
          .map(stem)
          .filter((word) => asked.has(word)),
      ),
  );
  const counts = new Map<string, number>();
  for (const words of found) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const scores = found.map((words, at) => {
    const asks = [...words].reduce((sum, word) => sum + 1 / Math.sqrt(counts.get(word) ?? 1), 0);
    const part = parts[at] ?? '';
    return (
      asks + (part.length >= wordyChars && summary.includes(part.slice(0, comparedChars)) ? inSummary : 0)
    );
  });
  return scores.indexOf(Math.max(...scores));
}

/** The words of one long sentence around the first asked one. */
function aroundWords(sentence: string, asked: Asked, charsMax: number): string {
  const at = [...sentence.matchAll(/[\p{L}\p{N}]+/gu)].find(([word]) => asked.has(stem(word.toLowerCase())));
  const start = Math.max(0, (at?.index ?? 0) - Math.floor(charsMax / 4));
  const begin = start === 0 ? 0 : Math.max(start, sentence.indexOf(' ', start) + 1);
  const room = charsMax - (begin > 0 ? 2 : 0) - 2;
  const rest = sentence.slice(begin);
  const lead = begin > 0 ? '… ' : '';
  if (rest.length <= room + 2) return `${lead}${rest}`;
  const space = rest.lastIndexOf(' ', room);
  return `${lead}${rest.slice(0, space > room / 2 ? space : room).replace(/[\ud800-\udbff]$/, '')} …`;
}

function wordsOf(text: string): string[] {
  const parted = text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2');
  return parted.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
