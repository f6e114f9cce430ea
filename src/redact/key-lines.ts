import { isWordy, looksRandom } from './value.ts';

interface Extent {
  readonly start: number;
  readonly end: number;
}

/**
 * A line near a key's marker. `start` and `end`: from its first run of base64 to the end of its last one.
 * `body`: a run that nothing but a key is likely to hold, whatever stands around it. `bare`: a shorter run, and only
 * signs and numbers around it. `tail`: as short as a last line. `between`: blank, or a header of the armour.
 */
export interface KeyLine extends Extent {
  readonly form: 'body' | 'bare' | 'tail' | 'between' | 'other';
}

const foreignLinesMax = 3;
const bodyCharsMin = 40;

const separator = /\r?\n|\\{1,8}[nr]|\\{0,8}["'],\s{0,40}\\{0,8}["']/g;

/** The lines of a part of a text; a newline may be escaped, or stand between the strings of a list. */
export function keyLinesOf(text: string, from: number, to: number): KeyLine[] {
  const part = text.slice(from, to);
  const lines: KeyLine[] = [];
  let start = 0;
  for (const match of part.matchAll(separator)) {
    lines.push(keyLine(part.slice(start, match.index), from + start));
    start = match.index + match[0].length;
  }
  lines.push(keyLine(part.slice(start), from + start));
  // At both ends stands what is left of the markers' own lines.
  const last = lines.length - 1;
  return lines.map((line, index) =>
    line.form === 'other' && (index === 0 || index === last) ? { ...line, form: 'between' } : line,
  );
}

const header =
  /(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash|MessageID|Subject|Encryption|Public-Lines|Private-MAC|Key-Derivation|Argon2-[A-Za-z]{1,20}): ?/;
const run = /[A-Za-z0-9+/]{16,}={0,2}/g;
const bareLine = /^[^A-Za-z+/=]*([A-Za-z0-9+/]{16,}={0,2})[^A-Za-z0-9/=]*$/;
const tailRun = /(?:^|[^A-Za-z0-9+/=])(=?[A-Za-z0-9+/]{1,16}={0,2})[^A-Za-z0-9+/=]*\+?$/;

function keyLine(line: string, at: number): KeyLine {
  if (!/[A-Za-z0-9]/.test(line) || header.test(line)) return { start: at, end: at, form: 'between' };
  const runs = [...line.matchAll(run)];
  const [first, last] = [runs[0], runs.at(-1)];
  if (first !== undefined && last !== undefined) {
    const extent = { start: at + first.index, end: at + last.index + last[0].length };
    if (runs.some((one) => one[0].length >= bodyCharsMin && looksRandom(one[0]))) {
      return { ...extent, form: 'body' };
    }
    const isBare = bareLine.test(line) && !isWordy(first[0]);
    return { ...extent, form: isBare ? 'bare' : 'other' };
  }
  const tail = tailRun.exec(line);
  const word = tail?.[1] ?? '';
  const start = at + (tail?.index ?? 0) + (tail?.[0].indexOf(word) ?? 0);
  const isTail = word.endsWith('=') || /[+/]./.test(word) || (word.length >= 4 && !isWordy(word));
  return { start, end: start + word.length, form: isTail ? 'tail' : 'other' };
}

/** Whether what stands between two markers is a key, with at most as many lines that are none of it. */
export function isMostlyKey(lines: readonly KeyLine[], part: string): boolean {
  const count = (...forms: KeyLine['form'][]) => lines.filter((line) => forms.includes(line.form)).length;
  const own = count('body', 'bare');
  if (own > 0) return own >= count('other');
  // A made-up or short one, with nothing around it but what escapes, quotes and numbers lines.
  return /[A-Za-z0-9+/=]{10,}/.test(part) && /^[A-Za-z0-9+/=\s\\:,."'`|→>#*()%-]*$/.test(part);
}

/** What belongs to a key that begins above `lines` and whose end is not shown. */
export function linesBelow(lines: readonly KeyLine[]): Extent[] {
  const spans: Extent[] = [];
  let foreign = 0;
  for (const line of lines) {
    if (line.form === 'between') continue;
    const last = spans.at(-1);
    const isNext = foreign === 0;
    if (line.form === 'body' || (line.form === 'bare' && isNext)) {
      if (last !== undefined && isNext) spans[spans.length - 1] = { start: last.start, end: line.end };
      else spans.push(line);
      foreign = 0;
    } else if (line.form === 'tail' && last !== undefined && isNext) {
      spans[spans.length - 1] = { start: last.start, end: line.end };
      break;
    } else if (++foreign > foreignLinesMax) break;
  }
  return spans;
}

/** What belongs to a key that ends below `lines` and whose beginning is not shown. */
export function linesAbove(lines: readonly KeyLine[]): { spans: Extent[]; reachesEnd: boolean } {
  const spans: Extent[] = [];
  let foreign = 0;
  let reachesEnd = false;
  let tail: KeyLine | undefined;
  for (const line of [...lines].reverse()) {
    if (line.form === 'between') continue;
    const next = spans[0];
    const isNext = foreign === 0;
    if (line.form === 'body' || (line.form === 'bare' && isNext)) {
      if (next !== undefined && isNext) spans[0] = { start: line.start, end: next.end };
      else {
        spans.unshift({ start: line.start, end: isNext ? (tail?.end ?? line.end) : line.end });
        reachesEnd ||= isNext && spans.length === 1;
      }
      foreign = 0;
    } else if (line.form === 'tail' && next === undefined && tail === undefined && isNext) tail = line;
    else if (++foreign > foreignLinesMax) break;
  }
  if (spans.length === 0 && tail !== undefined && tail.end - tail.start >= 8) {
    return { spans: [tail], reachesEnd: true };
  }
  return { spans, reachesEnd };
}
