import { endAt, isWord, type Line, type Range } from '#redact/form';

const redactFrameCharsMax = 160;

/** `isFrame`: punctuation that texts themselves use at this end, such as list signs, does not make a frame. */
interface Side {
  readonly isBeginning: boolean;
  readonly isFrame: RegExp;
}

const sides: readonly Side[] = [
  { isBeginning: true, isFrame: /[^\s:,;.()[\]{}-]/ },
  { isBeginning: false, isFrame: /[^\s\w:,;.()[\]{}]/ },
];
const linesMin = 3;

/**
 * What three or more lines in a row have in common at their beginning or end, apart from numbers and hashes: what
 * a tool printed around each line (`[pod/a] `, `"...\n" +`, `{"log":"...","stream":"stdout"}`, the `$` of `cat
 * -A`).
 */
export function framesOf(lines: readonly Line[]): Range[] {
  const cuts = sides.flatMap((side) => sharedBy(lines, side)).sort((a, b) => a.start - b.start);
  // Where both ends overlap, the beginning counts.
  return cuts.filter((cut, at) => cut.start >= (cuts[at - 1]?.end ?? 0));
}

function sharedBy(lines: readonly Line[], side: Side): Range[] {
  const cuts: Range[] = [];
  let run: Line[] = [];
  let shared = 0;
  const close = (): void => {
    const [first] = run;
    if (first === undefined || run.length < linesMin) return;
    const lengths = run.map((line) => commonTo(first.text, shared, line.text, side)[1]);
    if (run.some((line, at) => isIntoPlaceholder(line.text, lengths[at] ?? 0, side))) return;
    for (const [at, line] of run.entries()) {
      const length = lengths[at] ?? 0;
      const start = line.start + (side.isBeginning ? 0 : line.text.length - length);
      cuts.push({ start, end: start + length });
    }
  };
  for (const line of lines) {
    if (line.text.trim() === '') continue;
    const first = run[0]?.text ?? '';
    const [length] = run.length === 0 ? [0] : commonTo(first, shared, line.text, side);
    const part = side.isBeginning ? first.slice(0, length) : first.slice(first.length - length);
    if (length > 0 && side.isFrame.test(part)) {
      run.push(line);
      shared = length;
    } else {
      close();
      run = [line];
      shared = Math.min(line.text.length, redactFrameCharsMax);
    }
  }
  close();
  return cuts;
}

/** The lengths of the common part of two lines, up to its last punctuation; at most `limit` of the first line. */
function commonTo(one: string, limit: number, other: string, { isBeginning }: Side): [number, number] {
  const code = (text: string, at: number): number => text.charCodeAt(isBeginning ? at : text.length - 1 - at);
  const skip = (text: string, from: number, is: (code: number) => boolean): number => {
    let at = from;
    const end = Math.min(text.length, from + redactFrameCharsMax);
    while (at < end && is(code(text, at))) at++;
    return at;
  };
  let [a, b, endA, endB] = [0, 0, 0, 0];
  while (a < limit && b < other.length) {
    const [codeA, codeB] = [code(one, a), code(other, b)];
    if (isWord(codeA) && isWord(codeB)) {
      const isBegun = a === 0 || !isWord(code(one, a - 1));
      const [hashA, hashB] = isBegun && isBeginning ? [hashAt(one, a), hashAt(other, b)] : [0, 0];
      if (hashA > 0 && hashB > 0) [a, b] = [a + hashA, b + hashB];
      else if (isDigit(codeA) && isDigit(codeB)) [a, b] = [skip(one, a, isDigit), skip(other, b, isDigit)];
      else if (codeA === codeB) [a, b] = [a + 1, b + 1];
      else break;
      continue;
    }
    // Numbers and borders may be aligned by blanks.
    const [blankA, blankB] = [skip(one, a, isBlank), skip(other, b, isBlank)];
    if (isBeginning ? isDigit(code(one, blankA)) && isDigit(code(other, blankB)) : blankA > a && blankB > b) {
      [a, b] = [blankA, blankB];
      if (!isBeginning) [endA, endB] = [a, b];
    } else if (codeA === codeB || (isBeginning && isJoint(codeA) && isJoint(codeB))) {
      [a, b] = [a + 1, b + 1];
      [endA, endB] = [a, b];
    } else break;
  }
  return endA > limit ? [0, 0] : [endA, endB];
}

const hash = /[\da-f]{7,40}\b/y;

function hashAt(text: string, at: number): number {
  return (endAt(hash, text, at) ?? at) - at;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

/** `a.txt:found`, `a.txt-around it`. */
function isJoint(code: number): boolean {
  return code === 58 || code === 45;
}

/** Whether the cut would hit a placeholder. */
function isIntoPlaceholder(text: string, length: number, { isBeginning }: Side): boolean {
  const at = isBeginning ? text.indexOf('<redacted:') : text.lastIndexOf('<redacted:');
  if (at === -1) return false;
  return isBeginning ? at < length : text.indexOf('>', at) >= text.length - length;
}
