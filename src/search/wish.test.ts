import { expect, test } from 'vitest';
import { changeFactor, wishOf } from './wish.ts';

test.each([
  'fix race in session refresh',
  'feat(auth): rotate refresh tokens',
  'ABC-123: session refresh',
  'renamed the timeout setting',
  'Deduplicate events when both hooks fire',
  'also log the parent id',
  'stopped: drop redis'.slice(9),
  'simplifies retry handling',
])('%s tells of a change', (query) => expect(wishOf(query)).toBe('change'));

test.each(['session refresh race', 'redis connection pool', '刷新 session 令牌'])(
  '%s names a thing',
  (query) => expect(wishOf(query)).toBe('words'),
);

test.each([
  'why did we drop redis',
  'which test was flaky on CI',
  'the command that fixed the migration?',
  'command that fixed the migration',
  'can you fix the race in session refresh',
  "let's rename it",
  'add a test\nand run it',
  'src/search/legs.ts',
  'TS2345',
  'ECONNREFUSED 127.0.0.1:5432',
  '',
  `fix ${'a very long story '.repeat(12)}`,
])('%j asks for something else', (query) => expect(wishOf(query)).toBe('any'));

test('only edits gain, and only by a wish', () => {
  expect(changeFactor('change', 'apply_patch')).toBeGreaterThan(changeFactor('words', 'Edit'));
  expect(changeFactor('words', 'MultiEdit')).toBeGreaterThan(1);
  expect([changeFactor('any', 'Edit'), changeFactor('change', 'Bash'), changeFactor('change', '')]).toEqual([
    1, 1, 1,
  ]);
});
