import { isWordy, looksRandom, type Range } from '#redact/form';

/**
 * A line near a key marker. The range goes from its first to its last run of base64. `body`: a long run, only a
 * key has it. `bare`: a shorter run with only signs and numbers around it. `tail`: as short as a last line.
 * `between`: blank or an armour header.
 */
export interface KeyLine extends Range {
  readonly form: 'body' | 'bare' | 'tail' | 'between' | 'other';
  readonly text: string;
  readonly at: number;
}

const foreignLinesMax = 3;
const bodyCharsMin = 40;

/**
 * The lines of a part of a text: split at newlines, else at escaped newlines, else between the strings of a list.
 * `ends`: which lines also hold a marker.
 */
export function keyLinesOf(
  text: string,
  from: number,
  to: number,
  ends: readonly ('first' | 'last')[],
): KeyLine[] {
  const part = text.slice(from, to);
  const separator = separators.find((one) => part.search(one) !== -1) ?? /$/g;
  const lines: KeyLine[] = [];
  let start = 0;
  for (const match of part.matchAll(separator)) {
    lines.push(keyLine(part.slice(start, match.index), from + start));
    start = match.index + match[0].length;
  }
  lines.push(keyLine(part.slice(start), from + start));
  const rests = ends.map((end) => (end === 'first' ? 0 : lines.length - 1));
  return lines.map((line, index) =>
    line.form === 'other' && rests.includes(index) ? { ...line, form: 'between' } : line,
  );
}

const separators: readonly RegExp[] = [
  /\r?\n/g,
  ...[1, 2, 3, 4, 7, 8].map((slashes) => new RegExp(`(?<!\\\\)(?:\\\\{${slashes}}r)?\\\\{${slashes}}n`, 'g')),
  /\\{0,8}["'],\s{0,40}\\{0,8}["']/g,
];

const header =
  /(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash|MessageID|Subject|Encryption|Public-Lines|Private-MAC|Key-Derivation|Argon2-[A-Za-z]{1,20}): ?/;
const run = /[A-Za-z0-9+/]{16,}={0,2}/g;
const tailRun = /(?:^|[^A-Za-z0-9+/=])(=?[A-Za-z0-9+/]{1,16}={0,2})[^A-Za-z0-9+/=]*\+?$/;
/** The last line of a key that is written on one line. */
const endOfRuns = /^(?:\\{1,8}[nr]|["',\s+])+[A-Za-z0-9+/]{1,15}={1,2}/;

function keyLine(text: string, at: number): KeyLine {
  const line = { text, at, start: at, end: at };
  if (!/[A-Za-z0-9]/.test(text) || header.test(text)) return { ...line, form: 'between' };
  const runs = [...text.matchAll(run)];
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return tailLine(line);
  const lastEnd = last.index + last[0].length;
  const end = lastEnd + (endOfRuns.exec(text.slice(lastEnd))?.[0].length ?? 0);
  const extent = { start: at + first.index, end: at + end };
  if (runs.some((one) => one[0].length >= bodyCharsMin && looksRandom(one[0])))
    return { ...line, ...extent, form: 'body' };
  const isAlone =
    first === last &&
    !/[A-Za-z+/=]/.test(text.slice(0, first.index)) &&
    !/[A-Za-z0-9/=]/.test(text.slice(lastEnd));
  const isBare = isAlone && !isWordy(first[0]);
  return { ...line, ...extent, form: isBare ? 'bare' : 'other' };
}

/** A line without a long run of base64: the last one of a key, or none. */
function tailLine(line: Pick<KeyLine, 'text' | 'at'>): KeyLine {
  const tail = tailRun.exec(line.text);
  const word = tail?.[1] ?? '';
  const start = line.at + (tail?.index ?? 0) + (tail?.[0].indexOf(word) ?? 0);
  const isTail = word.endsWith('=') || /[+/]./.test(word) || (word.length >= 4 && !isWordy(word));
  return { ...line, start, end: start + word.length, form: isTail ? 'tail' : 'other' };
}

/** The base64 of a line with the layout of a known key line, apart from numbers. */
function coreLike(model: Range & Pick<KeyLine, 'text' | 'at'>, line: KeyLine): Range | undefined {
  const before = model.text.slice(0, model.start - model.at);
  const after = model.text.slice(model.end - model.at);
  const from = before.length;
  if (shapeOf(line.text.slice(0, from)) !== shapeOf(before)) return undefined;
  const core = /^=?[A-Za-z0-9+/]{1,76}={0,2}/.exec(line.text.slice(from))?.[0] ?? '';
  const rest = line.text.slice(from + core.length);
  if (core === '' || (!core.endsWith('=') && isWordy(core))) return undefined;
  // More may follow after the end of the string.
  const goesOn = /^(?:\\{1,8}r)?\\{0,8}["'`]/.test(rest.slice(after.length));
  const isSame = shapeOf(rest.slice(0, after.length)) === shapeOf(after);
  if (!isSame || (rest.length > after.length && !goesOn)) return undefined;
  return { start: line.at + from, end: line.at + from + core.length };
}

function shapeOf(text: string): string {
  return text.replace(/\d/g, '0');
}

/** Whether the lines between two markers are a key: at least half of them look like one. */
export function isMostlyKey(lines: readonly KeyLine[], part: string): boolean {
  const count = (...forms: KeyLine['form'][]) => lines.filter((line) => forms.includes(line.form)).length;
  const own = count('body', 'bare');
  if (own > 0 && own >= count('other')) return true;
  // A made-up or masked key: base64 with nothing but escapes, quotes and numbers around it.
  return /[A-Za-z0-9+/=]{10,}/.test(part) && /^[A-Za-z0-9+/=\s\\:,."'`|→>#*()%-]*$/.test(part);
}

/** The key lines after a BEGIN marker without its END. */
export function linesBelow(lines: readonly KeyLine[]): Range[] {
  return follow(lines, (last, line) => ({ start: last.start, end: line.end }));
}

/** The key lines before an END marker without its BEGIN. */
export function linesAbove(lines: readonly KeyLine[]): { spans: Range[]; reachesEnd: boolean } {
  const upwards = lines.filter((line) => line.form !== 'between').reverse();
  const [nearest, next] = upwards;
  if (nearest === undefined) return { spans: [], reachesEnd: false };
  const isKey = (line: KeyLine | undefined) => line?.form === 'body' || line?.form === 'bare';
  // The last line is short: the line above shows whether it belongs to a key.
  const tail = !isKey(nearest) && next !== undefined && isKey(next) ? tailAfter(next, nearest) : undefined;
  const first = tail === undefined ? nearest : { ...nearest, ...tail, form: 'bare' as const };
  const spans = follow([first, ...upwards.slice(1)], (last, line) => ({ start: line.start, end: last.end }));
  if (spans.length > 0) return { spans: spans.reverse(), reachesEnd: isKey(first) };
  const isAlone = nearest.form === 'tail' && nearest.end - nearest.start >= 8;
  return { spans: isAlone ? [nearest] : [], reachesEnd: isAlone };
}

function tailAfter(model: KeyLine, line: KeyLine): Range | undefined {
  return coreLike(model, line) ?? (line.form === 'tail' ? line : undefined);
}

/** Consecutive key lines as ranges. */
function follow(lines: readonly KeyLine[], join: (last: Range, line: Range) => Range): Range[] {
  const spans: Range[] = [];
  let model: KeyLine | undefined;
  let foreign = 0;
  for (const line of lines) {
    if (line.form === 'between') continue;
    const last = spans.at(-1);
    const isNext = foreign === 0;
    if (line.form === 'body' || (line.form === 'bare' && isNext)) {
      if (last !== undefined && isNext) spans[spans.length - 1] = join(last, line);
      else spans.push(line);
      if (line.form === 'body' || model === undefined) model = line;
      foreign = 0;
      continue;
    }
    const tail = model === undefined || last === undefined ? undefined : tailAfter(model, line);
    if (tail !== undefined && last !== undefined && isNext) spans[spans.length - 1] = join(last, tail);
    // A short line ends a key, but the sides of a diff may end at different lines.
    if (++foreign > foreignLinesMax) break;
  }
  return spans;
}
