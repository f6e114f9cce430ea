import { afterAll, beforeAll, expect, test } from 'vitest';
import { boundForms, sinceMs, spanIn, spanWords, untilMs } from './index.ts';

const before = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'Europe/Berlin';
});
afterAll(() => {
  process.env.TZ = before ?? '';
  if (before === undefined) delete process.env.TZ;
});

/** Wednesday. */
const now = Date.parse('2026-02-18T09:00:00+01:00');
const read = (query: string) => {
  const span = spanIn(query, now);
  return span === null ? null : spanWords(span);
};

test.each([
  ['what did we settle on last week for the binary', 'from 9 to 15 February 2026'],
  ['what failed this week', 'from 16 to 22 February 2026'],
  ["yesterday's build", 'on 17 February 2026'],
  ['the day before yesterday', 'on 16 February 2026'],
  ['what broke 3 days ago', 'on 15 February 2026'],
  ['two weeks ago the parser', 'from 2 to 8 February 2026'],
  ['the racy ci test on 22 January', 'on 22 January 2026'],
  ['fixed on Monday 9 February?', 'on 9 February 2026'],
  ['February 3rd, 2025 release', 'on 3 February 2025'],
  ['deploy of 2026-02-12, why', 'on 12 February 2026'],
  ['the release on 20 December', 'on 20 December 2025'],
  ['what we did in February', 'from 1 to 28 February 2026'],
  ['the outage in March', 'from 1 to 31 March 2025'],
  ['the outage of May 2025', 'from 1 to 31 May 2025'],
  ['on 3 may the cache', 'on 3 May 2025'],
  ['since mid February', 'since 10 February 2026'],
  ['typecheck skipped end of January', 'from 19 to 31 January 2026'],
  ['from 9 to 15 February', 'from 9 to 15 February 2026'],
  ['between 28 January and 3 February', 'from 28 January to 3 February 2026'],
  ['from 28 December to 3 January', 'from 28 December 2025 to 3 January 2026'],
  ['May 12, 2025 to whom', 'on 12 May 2025'],
  ['errors on Monday', 'on 16 February 2026'],
  ['on Wednesday', 'on 11 February 2026'],
  ['last month', 'from 1 to 31 January 2026'],
  ['in the past 3 days', 'from 15 to 18 February 2026'],
  ['everything since yesterday', 'since 17 February 2026'],
  ['before 2026-02-01', 'until 31 January 2026'],
])('%j is read as %j', (query, words) => {
  expect(read(query)).toBe(words);
});

test.each([
  'what may fail',
  'May we delete it',
  'march through the files',
  'tests 5 may fail',
  'march 3 files at a time',
  'retry 3 times',
  'port 8080',
  'in 2026 lines',
  'version 1.12',
  'at 10:30',
  'notes-2026-02-12.md',
  'logs/2026-02-12/app.log',
  'the sun and the sat solver',
  'now and second',
  '31 February',
  '2026-13-45',
  'last time it failed',
  'the last commit',
])('%j names no date', (query) => {
  expect(spanIn(query, now)).toBeNull();
});

test('the words of the date leave the query', () => {
  expect(spanIn('why did we drop redis last week', now)?.rest.trim()).toBe('why did we drop redis');
});

test('a bound is a day, a time or so long ago; until includes its day', () => {
  const iso = (ms: number) => new Date(ms).toISOString();
  expect(iso(sinceMs('2026-02-12', now))).toBe('2026-02-11T23:00:00.000Z');
  expect(iso(untilMs('2026-02-12', now))).toBe('2026-02-12T23:00:00.000Z');
  expect(iso(untilMs('yesterday', now))).toBe('2026-02-17T23:00:00.000Z');
  expect(iso(sinceMs('2w', now))).toBe('2026-02-04T08:00:00.000Z');
  expect(iso(sinceMs('2026-02-12T10:00:00Z', now))).toBe('2026-02-12T10:00:00.000Z');
  expect(iso(sinceMs('february', now))).toBe('2026-01-31T23:00:00.000Z');
  expect(iso(sinceMs('monday', now))).toBe('2026-02-15T23:00:00.000Z');
  // The day on which clocks change has 23 hours.
  expect(untilMs('2025-03-30', now) - sinceMs('2025-03-30', now)).toBe(23 * 3_600_000);
});

test.each(['soon', '', '12', '2026', '2026-02-31', 'x'.repeat(10_000)])(
  '%j is refused with the valid forms',
  (text) => {
    expect(() => sinceMs(text, now)).toThrow(boundForms);
  },
);
