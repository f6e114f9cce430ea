import { withoutBraces } from '../../boundary/index.ts';

/** The words of `{a,b{c,d}}` or `{1..9}` as bash makes them; null when there are more than `max`. */
export function braceWords(text: string, max: number): readonly string[] | null {
  const range = /^\{(-?\d{1,6})\.\.(-?\d{1,6})(?:\.\.-?\d{1,6})?\}$/.exec(text);
  if (range !== null) {
    const [from, to] = [Number(range[1]), Number(range[2])];
    const length = Math.abs(to - from) + 1;
    if (length > max) return null;
    return Array.from({ length }, (_, at) => String(from < to ? from + at : from - at));
  }
  const [, first, last] = /^\{([a-zA-Z])\.\.([a-zA-Z])\}$/.exec(text) ?? [];
  if (first !== undefined && last !== undefined) {
    const [from, to] = [first, last].map((letter) => letter.charCodeAt(0)).sort((a, b) => a - b);
    return Array.from({ length: (to ?? 0) - (from ?? 0) + 1 }, (_, at) =>
      String.fromCharCode((from ?? 0) + at),
    );
  }
  const words = withoutBraces(text, max);
  return words?.every((word) => !/[{}]/.test(word)) === true ? words : null;
}
