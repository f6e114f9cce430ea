const redactFrameCharsMax = 160;

interface Extent {
  readonly start: number;
  readonly end: number;
}

interface Line extends Extent {
  readonly text: string;
}

/** A piece of a line's beginning or end that is compared as one: a number is like any other, and so is a hash. */
interface Token {
  readonly sign: string;
  /** How much of the line it and what is farther out take. */
  readonly length: number;
}

interface Run {
  readonly lines: Line[];
  shared: readonly Token[];
}

const linesMin = 3;

/** What a text itself begins or ends lines with, such as a list or a mapping, is no frame. */
const isOfFrame = /[^\s\w:,;.()[\]{}]|0/;

/**
 * What at least three lines in a row begin or end with alike, numbers and hashes aside: what a tool printed around each of them
 * (`[pod/a] `, `"...\n" +`, `{"log":"...","stream":"stdout"}`, the `$` of `cat -A`). Lines without their newlines are given.
 */
export function framesOf(lines: readonly Line[]): Extent[] {
  const cuts = [
    ...sharedBy(lines, beginning).map(({ line, length }) => ({
      start: line.start,
      end: line.start + length,
    })),
    ...sharedBy(lines, ending).map(({ line, length }) => {
      const end = line.start + line.text.length;
      return { start: end - length, end };
    }),
  ].sort((a, b) => a.start - b.start);
  // What stands in a line twice over is its beginning.
  return cuts.filter((cut, at) => cut.start >= (cuts[at - 1]?.end ?? 0));
}

function sharedBy(
  lines: readonly Line[],
  tokens: (text: string) => Token[],
): { line: Line; length: number }[] {
  const runs: Run[] = [];
  for (const line of lines) {
    if (line.text.trim() === '') continue;
    const own = tokens(line.text);
    const run = runs.at(-1);
    const shared = run === undefined ? [] : commonTo(run.shared, own);
    if (run === undefined || !shared.some(({ sign }) => isOfFrame.test(sign)))
      runs.push({ lines: [line], shared: own });
    else {
      run.lines.push(line);
      run.shared = shared;
    }
  }
  return runs.flatMap((run) => {
    if (run.lines.length < linesMin) return [];
    const count = run.shared.length;
    return run.lines.map((line) => ({ line, length: tokens(line.text)[count - 1]?.length ?? 0 }));
  });
}

/** The tokens that both begin with, up to the last that is no letter or digit. */
function commonTo(one: readonly Token[], other: readonly Token[]): readonly Token[] {
  let count = 0;
  while (count < one.length && one[count]?.sign === other[count]?.sign) count++;
  while (count > 0 && /\w/.test(one[count - 1]?.sign ?? '')) count--;
  return one.slice(0, count);
}

function beginning(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.slice(0, redactFrameCharsMax).matchAll(/\b[\da-f]{7,40}\b|[ \t]*\d+|[\s\S]/g)) {
    const [sign] = match;
    tokens.push({ sign: /\d/.test(sign) ? '0' : sign.replace('-', ':'), length: match.index + sign.length });
  }
  return tokens;
}

/** The same from the end on; blanks before a border are alike, however many. */
function ending(text: string): Token[] {
  const part = text.slice(-redactFrameCharsMax);
  const tokens: Token[] = [];
  for (const match of [...part.matchAll(/[ \t]+|\d+|[\s\S]/g)].reverse()) {
    const sign = match[0].replace(/^[ \t]+$/, ' ').replace(/^\d+$/, '0');
    tokens.push({ sign, length: part.length - match.index });
  }
  return tokens;
}
