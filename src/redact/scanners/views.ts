import { endAt, type Line, lastAtMost, linesOf, type Range } from '#redact/form';
import { framesOf } from './frames.ts';

/**
 * A text as a person reads it: without line prefixes (numbers, file names, times, diff signs), or one side of a
 * diff. Rules that span lines need it.
 */
export interface View {
  readonly text: string;
  /** Maps an offset of the view to the original text. */
  readonly origin: (offset: number) => number;
}

/** The views that differ from `whole` and from each other; none for most texts. Linear. */
export function viewsOf(whole: View): View[] {
  const spoken = withoutEscapes(whole);
  const views = spoken === whole ? [whole] : [whole, spoken];
  const others = views.flatMap(withoutPrefixes).filter((one) => one.text !== whole.text);
  const texts = others.map((one) => one.text);
  return others.filter((one, at) => one.text !== '' && texts.indexOf(one.text) === at);
}

/** Separators between strings of a list; escaped newlines, tabs and quotes; a quote. */
const written = /(\\{0,8}["'])[ \t]{0,40},[ \t]{0,40}\1|\\{1,8}([nrt"'])|["'`]/g;
const signs: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/**
 * Unescapes strings with escaped newlines and lists of lines. Text that is escaped more deeply than the newlines
 * belongs to a string inside.
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
  return rewritten(
    view,
    cuts,
    [...characters].sort(([a], [b]) => a - b),
  );
}

/** The view with other characters at some offsets, in order, and without `cuts`. */
export function rewritten(
  view: View,
  cuts: readonly Range[],
  characters: Iterable<[at: number, character: string]>,
): View {
  let text = '';
  let from = 0;
  for (const [at, character] of characters) {
    text += view.text.slice(from, at) + character;
    from = at + 1;
  }
  return without({ ...view, text: text + view.text.slice(from) }, cuts);
}

function withoutPrefixes(whole: View): View[] {
  let view = without(whole, changedWordsOf(whole.text));
  for (let round = 0; round < roundsMax; round++) {
    const cuts = prefixesOf(view.text);
    if (cuts.length === 0) break;
    view = without(view, cuts);
  }
  const bare = without(view, framesOf([...linesOf(view.text)]));
  return [view, ...sidesOf(view), ...(bare === view ? [] : [bare, ...sidesOf(bare)])];
}

/** A line may have several prefixes, such as a number before a time. */
const roundsMax = 3;

/** Line prefixes. One counts only if the line before or after has the same kind. */
const prefixes: readonly RegExp[] = [
  // Syslog, journalctl.
  /[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d(?:\.\d{1,9})?(?: [\w.-]{1,80})?(?: [^\s:]{1,80}:)? /y,
  // A timestamp, and the stream name of kubectl and containerd.
  /\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.,]{0,16}(?:Z| ?[+-]\d\d:?\d\d)?\]?(?:[ \t](?:stdout|stderr) [FP])?(?: [\w.-]{1,80} [^\s:[]{1,60}\[\d{1,9}\]:)?[ \t]/y,
  // git blame.
  /\^?[0-9a-f]{7,40} (?:[^\s()]{1,200} {1,40})?\([^()\n]{5,160}\d\) ?/y,
  // cat -n, nl, the Read tool, grep -n, bat.
  /[ \t]{0,12}\d{1,7}(?:→|[ \r]{0,8}\t|[:-](?!\d)|[ \t]{0,3}[|│] ?|\)? )/y,
  // docker compose logs.
  /[\w./:@-]{1,80}[ \t]{0,40}[|│] ?/y,
  // grep with file names and context: `src/a.ts:12:`, `src/a.ts-13-`.
  /[^\s:]{1,200}[:-]\d{1,7}[:-]/y,
  // Quoted mail, comments, plain diff.
  /[ \t]{0,40}(?:<(?!redacted:)|>|#|\/\/|\*|;|--|!) ?/y,
];

function prefixesOf(text: string): Range[] {
  const lines = [...linesOf(text)].filter((line) => line.text.trim() !== '');
  const kinds = lines.map(({ text: line }) =>
    prefixes.find((pattern) => endAt(pattern, line, 0) !== undefined),
  );
  return lines.flatMap(({ text: line, start }, at) => {
    const kind = kinds[at];
    const isShared = kind === kinds[at - 1] || kind === kinds[at + 1];
    return kind !== undefined && isShared ? [{ start, end: start + (endAt(kind, line, 0) ?? 0) }] : [];
  });
}

/** The brackets of `--word-diff`. */
function changedWordsOf(text: string): Range[] {
  return [...text.matchAll(/\{\+(?!\})|\+\}|\[-|-\]/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** The sides of a diff. Lines of a combined diff have two signs. */
function sidesOf(view: View): View[] {
  const sides = sidesByFirstSign(view);
  return view.text.includes('@@@ ') ? [...sides, ...sides.flatMap(sidesByFirstSign)] : sides;
}

/** The old and the new side of a diff, without signs. */
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

/** Lines of a diff: runs of lines that begin with a sign or a space, at least one with a sign. */
function diffLinesOf(text: string): Line[] {
  const found: Line[] = [];
  let run: Line[] = [];
  let hasSign = false;
  const close = () => {
    // `push(...run)` would overflow the stack.
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

/** The view without `cuts`, which are in order and do not overlap. */
function without(view: View, cuts: readonly Range[]): View {
  if (cuts.length === 0) return view;
  const kept: string[] = [];
  // Offsets of each kept part in the new view and in the old one.
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
