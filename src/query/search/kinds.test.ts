import { expect, test } from 'vitest';
import { dayIn } from './dates.ts';
import { intentOf } from './intent.ts';
import { asksTalk, kindFactors } from './kinds.ts';

const callFactor = (query: string, hasMessages = true) =>
  kindFactors(asksTalk(query, intentOf(query), hasMessages)).call;

test('calls count less for a question in plain words, and in full where code is named or nothing is said', () => {
  expect(callFactor('why was the backend hammered with requests')).toBeLessThan(1);
  expect(callFactor('colour of the count badge, v2 or v3?')).toBeLessThan(1);
  for (const query of [
    'why does src/core/limits.ts have two tables',
    'what calls usageOf',
    'when did TS2345 go away',
    'npm test --watch hangs',
    'how do I undo the release',
    'Error: it broke\n  at the second line',
  ])
    expect([query, callFactor(query)]).toEqual([query, 1]);
  expect(callFactor('why was the backend hammered with requests', false)).toBe(1);
});

test('a day in a query is the last one before the clock, and leaves the query', () => {
  const asOf = Date.parse('2026-03-16T12:00:00Z');
  const at = (query: string) => {
    const day = dayIn(query, asOf);
    return day === null ? null : [new Date(day.from).toISOString().slice(0, 10), day.rest.trim()];
  };
  expect(at('what broke on January 12th')).toEqual(['2026-01-11', 'what broke on']);
  expect(at('12 December, the release')).toEqual(['2025-12-11', ', the release']);
  expect(at('2026-02-03 deploy')).toEqual(['2026-02-02', 'deploy']);
  expect([at('it may break 12 times'), at('version 2026-2-3')]).toEqual([null, null]);
});
