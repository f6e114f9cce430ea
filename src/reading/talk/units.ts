import { clip, onceByText, sentencesOf } from '#reading/text';

/** A sentence, list item, heading or table row of a message, without its markup. */
export interface Unit {
  readonly text: string;
  readonly kind: 'sentence' | 'item' | 'heading' | 'row' | 'pasted';
  /** The heading it stands under; '' above the first one. */
  readonly section: string;
  /** Its place among the units of its paragraph or list item. */
  readonly at: number;
}

/** What separates the changes of a report that stands on one line. */
export const reportMark = ' \u2022 ';

const messageCharsMax = 24_000;
const unitsMax = 400;
const messagesMax = 16;

/**
 * The units of a message in order. Blocks of code are left out. A message is asked for its request, its claims and its decisions, with
 * parts of it left out in between.
 */
export const unitsOf = onceByText((message: string): readonly Unit[] => {
  const units: Unit[] = [];
  let section = '';
  const add = (text: string, kind: Unit['kind'], at: number): void => {
    const words = text.replace(/\s+/g, ' ').trim();
    if (/[\p{L}\p{N}]/u.test(words) && units.length < unitsMax)
      units.push({ text: words, kind, section, at });
  };
  const prose = message.slice(0, messageCharsMax).replace(/```[\s\S]*?(?:```|$)/g, '\n\n');
  for (const line of joinedLines(prose)) {
    const heading = headingIn(line);
    if (heading !== null) {
      add(heading, 'heading', 0);
      section = heading;
    } else if (/^\s*\|/.test(line)) {
      if (!/^[\s|:-]*$/.test(line)) add(cellsOf(line), 'row', 0);
    } else if (isPasted(line)) {
      add(line, 'pasted', 0);
    } else {
      const item = listMark.exec(line);
      const said = line.slice(item?.[0].length ?? 0).replace(dataTail, '');
      const kind = item === null ? 'sentence' : 'item';
      for (const [at, sentence] of sentencesOf(plainText(said)).entries()) add(sentence, kind, at);
    }
  }
  return withIntroduced(units);
}, messagesMax);

/** A line or two of output that a sentence introduces belong to it; of more the first that says what went wrong. */
function withIntroduced(units: readonly Unit[]): Unit[] {
  const kept = new Set<Unit>();
  for (const [at, { kind, text }] of units.entries()) {
    if (kind === 'pasted' || !text.endsWith(':')) continue;
    let end = at + 1;
    while (units[end]?.kind === 'pasted') end += 1;
    const run = units.slice(at + 1, end);
    const fault = errors.test(text) ? run.filter((unit) => wrong.test(unit.text)).slice(0, 1) : [];
    for (const unit of run.length <= introducedMax ? run : fault)
      if (unit.text.length <= introducedCharsMax && !data.test(unit.text)) kept.add(unit);
  }
  return units.map((unit) => (kept.has(unit) ? { ...unit, kind: 'sentence' } : unit));
}

const data = /^(?:at |[{}<]|\[[{"\d])/;
const introducedMax = 2;
const introducedCharsMax = 120;
const errors = /\b(?:errors?|fail\w*|warnings?|messages?|logs?|output|issues?)\b[^:]{0,20}:$/i;
const wrong = /\berror\b ?[:!(]|\b(?:fatal|failed|denied|exception|cannot|not found|invalid|exited with)\b/i;

/** JSON or a log that is pasted behind a sentence. */
const dataTail =
  /(?:\{"|\[\{)[^\n]{80,}$|\s\[\d\d:\d\d:\d\d[^\n]{20,}$|(?<=:)\s\[[A-Z][\w. ]{1,30}\] [^\n]{20,}$/;
const listMark = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;

/** The lines of a text, each with those that continue its paragraph: people write one line for each thought, editors wrap. */
function joinedLines(text: string): string[] {
  const lines: string[] = [];
  let isOpen = false;
  for (const raw of text.split('\n')) {
    const line = raw.trimEnd();
    const last = lines.at(-1);
    if (
      isOpen &&
      last !== undefined &&
      last.length >= wrappedCharsMin &&
      !/[.!?:]$/.test(last) &&
      /^\s*\p{Ll}/u.test(line) &&
      !listMark.test(line) &&
      !isPasted(line) &&
      !isPasted(last)
    )
      lines[lines.length - 1] = `${last} ${line.trim()}`;
    else if (line.trim() !== '') lines.push(line);
    isOpen = line.trim() !== '' && !/^\s*[|#]/.test(line);
  }
  return lines;
}

const wrappedCharsMin = 50;

/** The words of a line that is a heading: marked by `#`, or bold from end to end. */
function headingIn(line: string): string | null {
  const found = /^\s*#{1,6}\s+(.+?)\s*#*$/.exec(line) ?? /^\s*\*\*([^*]{2,80}?):?\*\*:?$/.exec(line);
  // A whole sentence in bold is no heading.
  const isSentence = found !== null && !line.includes('#') && /\w \w.*[.!]$/.test(found[1] ?? '');
  return found === null || isSentence ? null : plainText(found[1] ?? '');
}

function cellsOf(row: string): string {
  return plainText(row)
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' | ');
}

function plainText(line: string): string {
  return line
    .replace(/^\s*>\s?/, '')
    .replace(/!?\[([^\]\n]{0,300})\]\([^)\s]{0,500}\)/g, '$1')
    .replace(/^(?:\p{Extended_Pictographic}|\ufe0f|\s)+/u, '')
    .replace(/(`[^`\n]*`)|\*\*|__(?=\S)|(?<=\S)__/g, '$1')
    .trim();
}

/** Output, a stack, code: what nobody wrote as a sentence. */
function isPasted(line: string): boolean {
  if (
    /^\s*(?:at \S+ ?\(|\d{4}-\d\d-\d\d(?:[T ]\d\d:|-[0-9a-f]{6,})|\[\d\d:\d\d|::[a-z]|(?!\[[^\]\n]+\]\()[{}[\]<>;]|[$#%❯➜] \S|\d+\s*[|│]|[│├└┌✓✗✘×⎿⏺])|\[[Yy]\/[Nn]\]|^\s*For more information,? (?:try|see|run) |^\s*(?:\(no \w+\)|\w+ing \(\d+\/\d+\))\s*$/u.test(
      line,
    )
  )
    return true;
  if (line.length <= 40) return false;
  const letters = line.match(/\p{L}/gu)?.length ?? 0;
  return letters < line.replace(/\s/g, '').length * 0.55;
}

/** The best units within `max` characters, in their order: whole ones, except that one which alone is far longer is shortened. */
export function bestUnits(units: readonly Unit[], scores: readonly number[], max: number): string {
  const words = chosenUnits(units, scores, max).map((unit, at, all) =>
    at < all.length - 1 ? ended(unit) : unit.text,
  );
  return clip(words.join(' '), Math.max(max, Math.min(2 * max, max + wholeCharsMax)));
}

/** Those of which it consists. */
export function chosenUnits(units: readonly Unit[], scores: readonly number[], max: number): Unit[] {
  const order = units.map((_, at) => at).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const chosen = new Set<number>();
  let room = max;
  let least = 0;
  for (const at of order) {
    const length = (units[at]?.text.length ?? 0) + 2;
    const score = scores[at] ?? 0;
    if (score <= least && chosen.size > 0) break;
    if (length > room && chosen.size > 0) {
      // What follows a sentence without room must be nearly as good: filling the room with asides makes a riddle.
      least = Math.max(least, score - asideScore);
      continue;
    }
    chosen.add(at);
    room -= length;
  }
  return units.filter((_, at) => chosen.has(at));
}

const asideScore = 1.2;

/** A sentence of up to this many more characters than there is room for is kept whole. */
const wholeCharsMax = 400;

function ended({ text }: Unit): string {
  if (/[.!?:…。！？]["'”’»)`]*$/u.test(text)) return text;
  return `${text.replace(/[\s,;:]+$/, '')}.`;
}
