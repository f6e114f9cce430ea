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
