import { framesOf } from './frames.ts';
import { type Line, lastAtMost, linesOf, type Range } from './range.ts';

/**
 * Other ways to read a text: without what tools print before each line (line numbers, file names, times, signs of a
 * diff), and each side of a diff alone. Rules that span lines see the text that a person sees.
 */
export interface View {
  readonly text: string;
  /** The offset in the source of the character at `offset` of the view. */
  readonly origin: (offset: number) => number;
}

/** The views that differ from `text` itself; none for most texts. Linear. */
export function viewsOf(text: string): View[] {
  const whole: View = { text, origin: (offset) => offset };
  const spoken = withoutEscapes(whole);
  const views = spoken === whole ? [whole] : [whole, spoken];
  const others = views.flatMap(withoutPrefixes).filter((one) => one.text !== text);
  const texts = others.map((one) => one.text);
  return others.filter((one, at) => one.text !== '' && texts.indexOf(one.text) === at);
}

/** What stands between strings of a list; newlines, tabs and quotes as they are written in strings; a quote. */
const written = /(\\{0,8}["'])[ \t]{0,40},[ \t]{0,40}\1|\\{1,8}([nrt"'])|["'`]/g;
const signs: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/**
 * What strings say that hold written newlines, or that are the lines of a list: lines, also the first of them. What is
 * escaped once more than the newlines are belongs to a string inside of it.
 */
function withoutEscapes(view: View): View {
  const matches = [...view.text.matchAll(written)];
  const depths = matches.flatMap(([whole, between, sign]) =>
    between !== undefined ? [between.length] : sign === 'n' ? [whole.length - 1] : [],
  );
  if (depths.length === 0) return view;
  const depth = depths.reduce((least, one) => Math.min(least, one));
  const cuts: Range[] = [];
  const characters = new Map<number, string>();
  let opening = -1;
  const newline = (at: number): void => {
    characters.set(at, '\n');
    if (opening >= 0) characters.set(opening, '\n');
    opening = -1;
  };
  for (const match of matches) {
    const [whole, between, sign] = match;
    const end = match.index + whole.length;
    const slashes = whole.length - 1;
    if (between !== undefined) {
      cuts.push({ start: match.index + 1, end });
      newline(match.index);
    } else if (sign === undefined) opening = end - 1;
    else if (signs[sign] === undefined ? slashes < 2 * depth : slashes === depth) {
      cuts.push({ start: match.index, end: end - 1 });
      if (sign === 'n') newline(end - 1);
      else characters.set(end - 1, signs[sign] ?? sign);
    }
  }
  let text = '';
  let from = 0;
  for (const [at, character] of [...characters].sort(([a], [b]) => a - b)) {
    text += view.text.slice(from, at) + character;
    from = at + 1;
  }
  return without({ ...view, text: text + view.text.slice(from) }, cuts);
}

function withoutPrefixes(whole: View): View[] {
  let view = without(whole, coloursOf(whole.text));
  for (let round = 0; round < roundsMax; round++) {
    const cuts = prefixesOf(view.text);
    if (cuts.length === 0) break;
    view = without(view, cuts);
  }
  const bare = without(view, framesOf([...linesOf(view.text)]));
  return [view, ...sidesOf(view), ...(bare === view ? [] : [bare, ...sidesOf(bare)])];
}

/** Prefixes before prefixes: a listing with numbers of a log with times. */
const roundsMax = 3;

/**
 * What may stand before every line. A prefix counts only where the line before or after has one of the same form, so
 * that a line that looks like it by chance keeps its beginning. Each pattern is bounded.
 */
const prefixes: readonly RegExp[] = [
  // Syslog and journalctl.
  /[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d(?:\.\d{1,9})?(?: [\w.-]{1,80})?(?: [^\s:]{1,80}:)? /y,
  // A time as programs print it, and the stream that kubectl and containerd put behind.
  /\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.,]{0,16}(?:Z| ?[+-]\d\d:?\d\d)?\]?(?:[ \t](?:stdout|stderr) [FP])?(?: [\w.-]{1,80} [^\s:[]{1,60}\[\d{1,9}\]:)?[ \t]/y,
  // git blame.
  /\^?[0-9a-f]{7,40} (?:[^\s()]{1,200} {1,40})?\([^()\n]{5,160}\d\) ?/y,
  // cat -n, nl, Read's listings, grep -n, bat, a gutter with a bar.
  /[ \t]{0,12}\d{1,7}(?:→|[ \r]{0,8}\t|[:-](?!\d)|[ \t]{0,3}[|│] ?|\)? )/y,
  // docker compose logs, and other programs side by side.
  /[\w./:@-]{1,80}[ \t]{0,40}[|│] ?/y,
  // grep with names of files, and their context: `src/a.ts:12:`, `src/a.ts-13-`.
  /[^\s:]{1,200}[:-]\d{1,7}[:-]/y,
  // Quoted mail, comments, plain diff.
  /[ \t]{0,40}(?:[<>]|#|\/\/|\*|;|--|!) ?/y,
];

function prefixesOf(text: string): Range[] {
  const lines = [...linesOf(text)].filter((line) => line.text.trim() !== '');
  const kinds = lines.map((line) => prefixOf(line.text));
  return lines.flatMap((line, at) => {
    const own = kinds[at];
    if (own === undefined) return [];
    const isShared = own.kind === kinds[at - 1]?.kind || own.kind === kinds[at + 1]?.kind;
    return isShared ? [{ start: line.start, end: line.start + own.length }] : [];
  });
}

function prefixOf(line: string): { kind: number; length: number } | undefined {
  for (const [kind, pattern] of prefixes.entries()) {
    pattern.lastIndex = 0;
    if (pattern.test(line)) return { kind, length: pattern.lastIndex };
  }
  return undefined;
}

// Colours, moves and links of a terminal, plain or as programs write them out; the brackets of `--word-diff`; what has no width.
const colours =
  /(?:\x1b|\\u001b|\\x1b|\\033|\\e)(?:\[[0-9;]{0,16}[A-Za-z]|\]8;[^;\x07\x1b]{0,80};[^\x07\x1b]{0,400}(?:\x07|\x1b\\))|\{\+(?!\})|\+\}|\[-|-\]|[\u200b-\u200d\u2060\ufeff]/gi;

function coloursOf(text: string): Range[] {
  return [...text.matchAll(colours)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** The sides of a diff, and of a merge's diff, whose lines have two signs. */
function sidesOf(view: View): View[] {
  const sides = sidesByFirstSign(view);
  return view.text.includes('@@@ ') ? [...sides, ...sides.flatMap(sidesByFirstSign)] : sides;
}

/** What was, and what is: the lines of a diff without those of the other side, and without their signs. */
function sidesByFirstSign(view: View): View[] {
  const regions = diffLinesOf(view.text);
  if (regions.length === 0) return [];
  return ['+', '-'].map((other) =>
    without(
      view,
      regions.map(({ start, end, text }) =>
        text.startsWith(other) ? { start, end } : { start, end: start + 1 },
      ),
    ),
  );
}

/** The lines of a diff: runs of lines that each begin with a sign or a space, with at least one sign. */
function diffLinesOf(text: string): Line[] {
  const found: Line[] = [];
  let run: Line[] = [];
  let hasSign = false;
  const close = () => {
    // One by one: to spread a long run would overflow the stack.
    if (hasSign) for (const line of run) if (line.text !== '') found.push(line);
    run = [];
    hasSign = false;
  };
  for (const line of linesOf(text)) {
    if (line.text === '' || /^[ +\-\t]/.test(line.text)) {
      run.push(line);
      hasSign ||= /^[+-]/.test(line.text);
    } else close();
  }
  close();
  return found;
}

/** The view without some parts of it, which are in order and apart. */
function without(view: View, cuts: readonly Range[]): View {
  if (cuts.length === 0) return view;
  const kept: string[] = [];
  // Where each kept part begins: in the new view, and in the old one.
  const starts: number[] = [];
  const sources: number[] = [];
  let length = 0;
  let from = 0;
  const keep = (end: number) => {
    if (end > from) {
      kept.push(view.text.slice(from, end));
      starts.push(length);
      sources.push(from);
      length += end - from;
    }
  };
  for (const cut of cuts) {
    keep(cut.start);
    from = cut.end;
  }
  keep(view.text.length);
  const origin = (offset: number): number => {
    const at = lastAtMost(starts, offset);
    return view.origin((sources[at] ?? 0) + offset - (starts[at] ?? 0));
  };
  return { text: kept.join(''), origin };
}
