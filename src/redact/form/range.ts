/** A part of a text, by its offsets. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Line extends Range {
  /** Without the newline, which the range includes. */
  readonly text: string;
}

export function* linesOf(text: string): Generator<Line> {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline + 1;
    yield { start, end, text: text.slice(start, newline === -1 ? end : newline) };
    start = end;
  }
}

/** The index of the last number that is at most `wanted`, in an ascending list. */
export function lastAtMost(ascending: readonly number[], wanted: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((ascending[middle] ?? 0) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The match of a sticky pattern at an offset. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The offset after the match of a sticky pattern at `at`. */
export function endAt(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** The bracket around what begins at `from`, in the direction of `limit`, which it does not reach. Brackets in pairs do not count. */
export function outerBracket(
  text: string,
  from: number,
  limit: number,
  { opening, closing }: Readonly<Record<'opening' | 'closing', string>>,
): number | undefined {
  const step = limit < from ? -1 : 1;
  let depth = 0;
  for (let at = from; at !== limit; at += step) {
    const sign = text.charAt(at);
    if (opening.includes(sign)) depth++;
    else if (closing.includes(sign) && depth-- === 0) return at;
  }
  return undefined;
}
