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
  if (text.length > braceCharsMax) return null;
  const words = expanded(text, max);
  return words.length > max ? null : words;
}

/** Nobody types more; what is nested deeper than this is long is not for a stack. */
const braceCharsMax = 2_000;

function expanded(text: string, max: number): string[] {
  const open = openingBrace(text);
  if (open === null) return [text];
  const { start, end, commas } = open;
  const cuts = [start, ...commas, end];
  const words: string[] = [];
  for (const [at, cut] of cuts.slice(0, -1).entries()) {
    if (words.length > max) break;
    const middle = text.slice(cut + 1, cuts[at + 1]);
    words.push(...expanded(`${text.slice(0, start)}${middle}${text.slice(end + 1)}`, max));
  }
  return words;
}

/** The first brace that holds a comma of its own, outside of quotes. */
function openingBrace(text: string): { start: number; end: number; commas: number[] } | null {
  const open: { start: number; commas: number[] }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === "'" || char === '"') {
      const close = text.indexOf(char, at + 1);
      at = close === -1 ? text.length : close;
    } else if (char === '{') open.push({ start: at, commas: [] });
    else if (char === ',') open.at(-1)?.commas.push(at);
    else if (char === '}') {
      const brace = open.pop();
      if (brace !== undefined && brace.commas.length > 0 && open.length === 0) return { ...brace, end: at };
    }
  }
  return null;
}
