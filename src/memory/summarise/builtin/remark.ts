import { comment, commentRest } from '#reading/edits';
import { type Dialect, sentenceEnd } from '#reading/text';

/**
 * The first comment among lines of code, or the first sentence of prose, that is meant for people: the sentences
 * that end on its first line, else the whole first sentence, over up to `furtherMax` more lines. Ends with `…` when
 * it was cut before its end. Null when there is none.
 */
export function firstRemark(
  lines: readonly string[],
  dialect: Dialect,
  furtherMax = furtherLinesMax,
): string | null {
  for (const [at, line] of lines.entries()) {
    const found = dialect === 'prose' ? prose(line) : comment(line);
    if (found === null || directive.test(found) || !/\p{L}{3}.*[\s\p{Script=Han}]/u.test(found)) continue;
    return whole(found.trim(), continuation(lines, at, dialect), furtherMax);
  }
  return null;
}

/** Comments that speak to tools, not to people. */
const directive =
  /^(?:go:|nolint|eslint|biome-|@ts-|prettier|noqa|type:|SPDX|Copyright|istanbul|c8 |v8 |pragma)/i;

/** A comment of more lines is a chapter; its first sentence is not worth more of them. */
const furtherLinesMax = 4;
/** A shorter line was not broken for its length: a capital after it begins something else. */
const brokenLineChars = 60;

function whole(first: string, further: readonly string[], furtherMax: number): string {
  if (sentenceEnd(first) === first.length || first.endsWith(':') || further.length === 0) return first;
  let lastEnd = -1;
  for (let end = sentenceEnd(first); end > 0; end = sentenceEnd(first, end)) lastEnd = end;
  if (lastEnd > 0) return first.slice(0, lastEnd);
  const joined = [first, ...further.slice(0, furtherMax)].join(' ');
  const end = sentenceEnd(joined);
  if (end > 0) return joined.slice(0, end);
  return further.length > furtherMax ? `${joined}…` : joined;
}

/** The lines that go on where line `at` breaks off; one more than is shown, so that a cut is seen. */
function continuation(lines: readonly string[], at: number, dialect: Dialect): string[] {
  const further: string[] = [];
  let before = lines[at] ?? '';
  for (const line of lines.slice(at + 1, at + 2 + furtherLinesMax)) {
    const rest = dialect === 'prose' ? proseRest(line) : commentRest(before, line);
    if (rest === null || directive.test(rest)) break;
    const wasBroken = before.trim().length >= brokenLineChars;
    if (!wasBroken && (dialect === 'prose' || /^[\p{Lu}\p{N}]/u.test(rest))) break;
    if (opening.test(rest)) break;
    further.push(rest);
    before = line;
  }
  return further;
}

/** Begins a sentence, also after a line whose author left the full stop out. */
const opening = /^(?:This|That|These|The|When|If|It|We|For|But|Also|Note|Otherwise|Using|Returns?)\b/;

function prose(line: string): string | null {
  const plain = line.slice(0, 400).replace(/^[\s>*+-]+/, '');
  return plain.length > 12 && /^[\p{L}`*"]/u.test(plain) ? plain : null;
}

function proseRest(line: string): string | null {
  return /^\s*(?:[#>*+|-]|\d+[.)]|```|\/\/)/.test(line) ? null : line.trim().slice(0, 400);
}
