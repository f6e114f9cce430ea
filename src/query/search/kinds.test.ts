import { expect, test } from 'vitest';
import { kindFactor, readQuery } from './kinds.ts';

const callFactor = (query: string, hasMessages = true) =>
  kindFactor({ kind: 'call', tool: 'Read' }, readQuery(query, false, hasMessages)).value;

test('calls count less for a question in plain words, and in full where code is named or nothing is said', () => {
  expect(callFactor('why was the backend hammered with requests')).toBeLessThan(1);
  expect(callFactor('cleaning said it was done but left a branch, reason')).toBeLessThan(1);
  expect(callFactor('when did we rename the queue')).toBeLessThan(1);
  expect(callFactor('colour of the count badge, v2 or v3?')).toBeLessThan(1);
  for (const query of [
    'why does src/core/limits.ts have two tables',
    'what calls usageOf',
    'when did TS2345 go away',
    'npm test --watch hangs',
    'how do I undo the release',
    'Error: it broke\n  at the second line',
    'add a retry to the upload',
    'fix: the badge overlaps the tab',
  ])
    expect([query, callFactor(query)]).toEqual([query, 1]);
  expect(callFactor('why was the backend hammered with requests', false)).toBe(1);
});
