import {
  dayNamed,
  monthNamed,
  monthWord,
  numberNamed,
  numberWord,
  weekdayNamed,
  weekdayWord,
  yearOf,
} from './names.ts';
import { type Days, days, daysBack, month, type Span, week, wholeMonth, wholeYear } from './span.ts';

/** A date or span that a text names. */
export interface Said extends Span {
  /** The words, as written. */
  readonly said: string;
  /** The text without them. */
  readonly rest: string;
}

/** The first date or span in `text` that is surely one; null without one. Without a year it is the last that has begun by `nowMs`. */
export function spanIn(text: string, nowMs: number): Said | null {
  // Most queries name no date, and long ones have it in one place: some thirty expressions look only there.
  const [first, last = first] = placesOf(text);
  if (first === undefined || last === undefined) return null;
  const near = text.slice(0, last + formCharsMax);
  for (const { pattern, read } of [...between, ...single]) {
    const expression = pattern();
    expression.lastIndex = Math.max(0, first - formCharsMax);
    for (const found of near.matchAll(expression)) {
      const span = read(found.groups ?? {}, nowMs);
      if (span === null) continue;
      const [said] = found;
      const rest = `${text.slice(0, found.index)} ${text.slice(found.index + said.length)}`;
      return { ...span, said: said.trim(), rest };
    }
  }
  return null;
}

/** The span that `text` is, as a whole; null if it is none. */
export function spanOf(text: string, nowMs: number): Days | null {
  const said = spanIn(text.trim(), nowMs);
  if (said === null || said.rest.trim() !== '') return null;
  return said.fromMs === null || said.untilMs === null
    ? null
    : { fromMs: said.fromMs, untilMs: said.untilMs };
}

type Groups = Readonly<Record<string, string | undefined>>;

interface Form {
  readonly source: string;
  /** Compiled when it is first needed, which takes a millisecond. */
  readonly pattern: () => RegExp;
  readonly read: (groups: Groups, nowMs: number) => Span | null;
}

/**
 * Not within a name, a path, a version or a number: `notes-2026-02-12.md`, `v1.12`. Letters are Latin ones: `\p{L}` makes some thirty
 * expressions of 50 ms.
 */
const letter = String.raw`a-z\u00c0-\u024f`;
const start = String.raw`(?<![${letter}\d_./\\:@#-])`;
const end = String.raw`(?:'s)?(?![${letter}\d_/\\@#-]|[.:][${letter}\d])`;

function form(source: string, read: Form['read']): Form {
  let pattern: RegExp | null = null;
  return {
    source,
    pattern: () => (pattern ??= new RegExp(`${start}(?:${source})${end}`, 'gi')),
    read,
  };
}

/** Every form has one of these words. */
const telling =
  /(?<![a-z])(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|day|week|month|year|\d{4}-\d/gi;
/** Longer than any form. */
const formCharsMax = 80;

/** Where the first and the last telling word begin. */
function placesOf(text: string): number[] {
  const places = [...text.matchAll(telling)].map(({ index }) => index);
  return [...places.slice(0, 1), ...places.slice(-1)];
}
const boundWord = 'since|after|before|until|till|up to';
const ordinal = '(?:st|nd|rd|th)?';
const dayNumber = String.raw`\d{1,2}${ordinal}`;
const weekdayBefore = `(?:${weekdayWord},? (?:the )?)?`;
const preposition = '(?:(?<lead>on|in|from|of|during|for|at|around|throughout|within) (?:the )?)?';

/** `9 to 15 February`, `9 February - 2 March 2026`, `between 2026-02-09 and 2026-02-15`. */
const between: readonly Form[] = [
  // Before `before DAY`, which it looks like.
  form('the day before yesterday', (_, nowMs) => daysBack(nowMs, 2)),
  form(
    String.raw`(?:from|between)? ?(?:the )?(?<a>${dayNumber})(?: (?<am>${monthWord}))? ?(?:to|and|until|till|-|–) ?(?:the )?(?<b>${dayNumber}) (?:of )?(?<bm>${monthWord})(?:,? (?<y>\d{4}))?`,
    ({ a, am, b, bm, y }, nowMs) => {
      const last = dayNamed(b, bm, y, nowMs);
      if (last === null) return null;
      const [first, yearBefore] = [0, 1].map((back) =>
        dayNamed(a, am ?? bm, String(yearOf(last) - back), nowMs),
      );
      return joined(first ?? null, last) ?? (y === undefined ? joined(yearBefore ?? null, last) : null);
    },
  ),
  form(
    String.raw`(?:from|between)? ?(?<month>${monthWord}) (?<a>${dayNumber}) ?(?:to|and|until|till|-|–) ?(?<b>${dayNumber})(?:,? (?<y>\d{4}))?`,
    ({ month: name, a, b, y }, nowMs) => joined(dayNamed(a, name, y, nowMs), dayNamed(b, name, y, nowMs)),
  ),
  form(
    String.raw`(?:from|between)? ?(?<a>\d{4}-\d{2}-\d{2}) ?(?:to|and|until|till|-|–|\.\.) ?(?<b>\d{4}-\d{2}-\d{2})`,
    ({ a, b }) => joined(isoDay(a), isoDay(b)),
  ),
];

const oneDay: readonly Form[] = [
  form(String.raw`${preposition}(?<iso>\d{4}-\d{2}-\d{2})`, ({ iso }) => isoDay(iso)),
  form(
    `${preposition}${weekdayBefore}(?<day>${dayNumber}) (?<of>of )?(?<month>${monthWord})(?:,? (?<year>\\d{4}))?`,
    (groups, nowMs) => plainDay(groups, nowMs),
  ),
  form(
    `${preposition}${weekdayBefore}(?<month>${monthWord}) (?:the )?(?<day>${dayNumber})(?:,? (?<year>\\d{4}))?`,
    (groups, nowMs) => plainDay(groups, nowMs),
  ),
  form('yesterday', (_, nowMs) => daysBack(nowMs, 1)),
  form('today', (_, nowMs) => daysBack(nowMs, 0)),
  form(`(?<n>${numberWord}) days? ago`, ({ n }, nowMs) => daysBack(nowMs, numberNamed(n))),
  form(`(?:(?:on|last) |(?<=(?:${boundWord}) ))(?<name>${weekdayWord})`, ({ name }, nowMs) => {
    const back = (new Date(nowMs).getDay() - weekdayNamed(name) + 7) % 7;
    return daysBack(nowMs, back === 0 ? 7 : back);
  }),
];

const longer: readonly Form[] = [
  form(
    `${preposition}(?:the )?(?<part>early|beginning of|start of|mid(?:dle of)?|late|end of)[ -](?<month>${monthWord})(?:,? (?<year>\\d{4}))?`,
    ({ part = '', month: name, year }, nowMs) => partOf(part.toLowerCase(), monthSpan(name, year, nowMs)),
  ),
  form(
    `(?<lead>in|during|of|from|for|throughout|within) (?:last )?(?<month>${monthWord})(?:,? (?<year>\\d{4}))?`,
    ({ month: name, year }, nowMs) => monthSpan(name, year, nowMs),
  ),
  form(`(?<month>${monthWord}) (?<year>\\d{4})`, ({ month: name, year }, nowMs) =>
    monthSpan(name, year, nowMs),
  ),
  form('(?:in |from |during )?this week', (_, nowMs) => week(nowMs, 0)),
  form('(?:in |from |during |of )?(?:the )?last week', (_, nowMs) => week(nowMs, 1)),
  form(`(?<n>${numberWord}) weeks? ago`, ({ n }, nowMs) => week(nowMs, numberNamed(n))),
  form('(?:in |from |during )?this month', (_, nowMs) => month(nowMs, 0)),
  form('(?:in |from |during |of )?(?:the )?last month', (_, nowMs) => month(nowMs, 1)),
  form(`(?<n>${numberWord}) months? ago`, ({ n }, nowMs) => month(nowMs, numberNamed(n))),
  form('(?:in |from |during )?this year', (_, nowMs) => wholeYear(new Date(nowMs).getFullYear())),
  form('(?:in |from |during |of )?last year', (_, nowMs) => wholeYear(new Date(nowMs).getFullYear() - 1)),
  form(
    `(?:in |within |during |over |for )?(?:the )?(?:last|past) (?:(?<n>${numberWord}) )?(?<unit>days?|weeks?|months?)`,
    ({ n, unit = '' }, nowMs) => rolling(n === undefined ? 1 : numberNamed(n), unit.toLowerCase(), nowMs),
  ),
];

/** Each also after `since`, `before` and so on. */
const single: readonly Form[] = [
  ...[...oneDay, ...longer].map(({ source, read }) =>
    form(`(?:(?<bound>${boundWord}) )?(?:${source})`, (groups, nowMs) => {
      const { bound } = groups;
      const span = read(bound === undefined ? groups : { ...groups, lead: bound }, nowMs);
      return span === null || bound === undefined ? span : bounded(bound.toLowerCase(), span);
    }),
  ),
  form(
    `(?<bound>${boundWord}) (?<month>${monthWord})(?:,? (?<year>\\d{4}))?`,
    ({ bound = '', month: name, year }, nowMs) => {
      const span = monthSpan(name, year, nowMs);
      return span === null ? null : bounded(bound.toLowerCase(), span);
    },
  ),
];

function bounded(bound: string, { fromMs, untilMs }: Span): Span {
  if (bound === 'since') return { fromMs, untilMs: null };
  if (bound === 'after') return { fromMs: untilMs, untilMs: null };
  return { fromMs: null, untilMs: bound === 'before' ? fromMs : untilMs };
}

function joined(first: Days | null, last: Days | null): Days | null {
  if (first === null || last === null || first.fromMs > last.fromMs) return null;
  return { fromMs: first.fromMs, untilMs: last.untilMs };
}

function isoDay(iso = ''): Days | null {
  const [year = 0, at = 0, day = 0] = iso.split('-').map(Number);
  const found = days(year, at - 1, day);
  return new Date(found.fromMs).getMonth() === at - 1 && day > 0 ? found : null;
}

/** A verb is not a month: `5 may fail`, `march 3 files`. */
function plainDay({ day, month: name = '', year, lead, of }: Groups, nowMs: number): Days | null {
  const isSure = lead !== undefined || of !== undefined || year !== undefined || /\D$/.test(day ?? '');
  if (!isSure && /^(?:may|mar(?:ch)?|dec)$/i.test(name) && !/^(?:March|Mar|Dec)$/.test(name)) return null;
  return dayNamed(day, name, year, nowMs);
}

function monthSpan(name = '', year: string | undefined, nowMs: number): Days | null {
  const at = monthNamed(name);
  if (at === null) return null;
  if (year !== undefined) return wholeMonth(Number(year), at);
  const now = new Date(nowMs);
  return wholeMonth(now.getFullYear() - (at > now.getMonth() ? 1 : 0), at);
}

function partOf(part: string, span: Days | null): Days | null {
  if (span === null) return null;
  const [year, at] = [new Date(span.fromMs).getFullYear(), new Date(span.fromMs).getMonth()];
  if (part.startsWith('mid')) return days(year, at, 10, 12);
  if (part.startsWith('late') || part.startsWith('end'))
    return { fromMs: days(year, at, 19).fromMs, untilMs: span.untilMs };
  return days(year, at, 1, 12);
}

/** Up to now, and today with it. */
function rolling(n: number, unit: string, nowMs: number): Days {
  const now = new Date(nowMs);
  const { untilMs } = daysBack(nowMs, 0);
  if (unit.startsWith('month')) {
    const { fromMs } = days(now.getFullYear(), now.getMonth() - n, now.getDate());
    return { fromMs, untilMs };
  }
  return { fromMs: daysBack(nowMs, unit.startsWith('week') ? 7 * n : n).fromMs, untilMs };
}
