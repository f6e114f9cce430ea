import { type Days, days, monthNames } from './span.ts';

/** The sources of expressions, without groups of their own. */
export const monthWord = `(?:${monthNames
  .map((name) =>
    name === 'May' ? 'May' : `${name.slice(0, 3)}${name === 'September' ? 't?' : ''}\\.?|${name}`,
  )
  .join('|')})`;
export const weekdayWord = '(?:Mon|Tues?|Wednes|Thurs|Fri|Satur|Sun)day';
export const numberWord = '(?:\\d{1,3}|a|an|one|two|three|four|five|six|seven|eight|nine|ten|a couple of)';

/** 0 for January; null if it is none. */
export function monthNamed(name: string): number | null {
  const at = monthNames.findIndex((one) => one.slice(0, 3).toLowerCase() === name.slice(0, 3).toLowerCase());
  return at < 0 ? null : at;
}

/** 0 for Sunday, as `Date.getDay`. */
export function weekdayNamed(name = ''): number {
  const starts = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
  return Math.max(0, starts.indexOf(name.slice(0, 3).toLowerCase()));
}

export function numberNamed(word = ''): number {
  if (/^\d/.test(word)) return Number(word);
  const words = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
  return word.toLowerCase() === 'a couple of' ? 2 : Math.max(1, words.indexOf(word.toLowerCase()));
}

/** `12th`, `February`: without a year the last one that has begun. Null for a day that the month does not have. */
export function dayNamed(day = '', name = '', year: string | undefined, nowMs: number): Days | null {
  const [number, at] = [Number.parseInt(day, 10), monthNamed(name)];
  if (at === null || number < 1) return null;
  const thisYear = new Date(nowMs).getFullYear();
  const found = days(year === undefined ? thisYear : Number(year), at, number);
  const meant = year === undefined && found.fromMs > nowMs ? days(thisYear - 1, at, number) : found;
  return new Date(meant.fromMs).getMonth() === at ? meant : null;
}

export function yearOf({ fromMs }: Days): number {
  return new Date(fromMs).getFullYear();
}
