/** From the first millisecond, inclusive, to the second, exclusive, since 1970; null: without a bound. */
export interface Span {
  readonly fromMs: number | null;
  readonly untilMs: number | null;
}

/** A span that has both ends. */
export interface Days extends Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The local days from `day` of `month` (0 to 11), `count` of them. JavaScript carries what is beyond a month over. */
export function days(year: number, month: number, day: number, count = 1): Days {
  return {
    fromMs: new Date(year, month, day).getTime(),
    untilMs: new Date(year, month, day + count).getTime(),
  };
}

/** The day that is `back` days before that of `nowMs`, and those that follow it. */
export function daysBack(nowMs: number, back: number, count = 1): Days {
  const now = new Date(nowMs);
  return days(now.getFullYear(), now.getMonth(), now.getDate() - back, count);
}

/** From Monday to Sunday, `back` weeks ago. */
export function week(nowMs: number, back: number): Days {
  const sinceMonday = (new Date(nowMs).getDay() + 6) % 7;
  return daysBack(nowMs, sinceMonday + 7 * back, 7);
}

/** The calendar month, `back` months ago. */
export function month(nowMs: number, back: number): Days {
  const now = new Date(nowMs);
  return wholeMonth(now.getFullYear(), now.getMonth() - back);
}

export function wholeMonth(year: number, at: number): Days {
  return { fromMs: new Date(year, at, 1).getTime(), untilMs: new Date(year, at + 1, 1).getTime() };
}

export function wholeYear(year: number): Days {
  return { fromMs: new Date(year, 0, 1).getTime(), untilMs: new Date(year + 1, 0, 1).getTime() };
}

/** `from 9 to 15 February 2026`, `on 12 February 2026`, `since 9 February 2026`, `until 15 February 2026`; with a time where it is no whole day. */
export function spanWords({ fromMs, untilMs }: Span): string {
  if (fromMs === null) return untilMs === null ? '' : `until ${endWords(untilMs)}`;
  if (untilMs === null) return `since ${timeWords(fromMs)}`;
  const [first, last] = [new Date(fromMs), new Date(untilMs - 1)];
  if (!isMidnight(fromMs) || !isMidnight(untilMs)) return `from ${timeWords(fromMs)} to ${endWords(untilMs)}`;
  if (dayWords(first) === dayWords(last)) return `on ${dayWords(first)}`;
  const isSameYear = first.getFullYear() === last.getFullYear();
  const isSameMonth = isSameYear && first.getMonth() === last.getMonth();
  const begin = isSameMonth
    ? String(first.getDate())
    : `${first.getDate()} ${monthName(first)}${isSameYear ? '' : ` ${first.getFullYear()}`}`;
  return `from ${begin} to ${dayWords(last)}`;
}

function timeWords(ms: number): string {
  return isMidnight(ms) ? dayWords(new Date(ms)) : `${dayWords(new Date(ms))} ${clock(ms)}`;
}

/** The last day before a midnight. */
function endWords(ms: number): string {
  return isMidnight(ms) ? dayWords(new Date(ms - 1)) : timeWords(ms);
}

function isMidnight(ms: number): boolean {
  return days(new Date(ms).getFullYear(), new Date(ms).getMonth(), new Date(ms).getDate()).fromMs === ms;
}

function clock(ms: number): string {
  const at = new Date(ms);
  return [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

export function dayWords(at: Date): string {
  return `${at.getDate()} ${monthName(at)} ${at.getFullYear()}`;
}

function monthName(at: Date): string {
  return monthNames[at.getMonth()] ?? '';
}

export const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
] as const;
