import { expect, test } from 'vitest';
import { intentFactor, intentOf } from './intent.ts';
import { readQuery } from './kinds.ts';

test.each([
  'fix race in session refresh',
  'feat(auth): rotate refresh tokens',
  'ABC-123: session refresh',
  'renamed the timeout setting',
  'Deduplicate events when both hooks fire',
  'also log the parent id',
  'drop redis',
  'simplifies retry handling',
  'when did we rename REDIS_URL',
  'where did you change the upload limit?',
])('%s is about a change', (query) => expect(intentOf(query)).toBe('change'));

test.each([
  'how did we undo the bad release',
  'how to run the suite in random order',
  'the command that fixed the migration?',
  'statement which repaired the dates',
])('%s asks how it is done', (query) => expect(intentOf(query)).toBe('command'));

test.each(['session refresh race', 'redis connection pool', '刷新 session 令牌'])(
  '%s names a thing',
  (query) => expect(intentOf(query)).toBe('words'),
);

test.each([
  'why did we drop redis',
  'which test was flaky on CI',
  'how are dates stored',
  'which command is slow',
  'can you fix the race in session refresh',
  "let's rename it",
  'add a test\nand run it',
  'src/query/search/legs.ts',
  'TS2345',
  'ECONNREFUSED 127.0.0.1:5432',
  '',
  `fix ${'a very long story '.repeat(12)}`,
])('%j asks for something else', (query) => expect(intentOf(query)).toBe('any'));

const intentBoost = (query: string, tool: string): number =>
  intentFactor(readQuery(query, false, false), tool).value;

test('a call gains by its tool, and only where the query wishes for it', () => {
  expect(intentBoost('drop redis', 'apply_patch')).toBeGreaterThan(
    intentBoost('session refresh race', 'Edit'),
  );
  expect(intentBoost('session refresh race', 'MultiEdit')).toBeGreaterThan(1);
  expect(intentBoost('how did we undo the bad release', 'Bash')).toBeGreaterThan(1);
  expect(intentBoost('drop redis', 'Bash')).toBe(1);
  expect(intentBoost('how did we undo the bad release', 'Edit')).toBe(1);
  expect(intentBoost('drop redis', '')).toBe(1);
});

test('a question about what was gains edits among calls; a request and what talk answers do not', () => {
  expect(intentBoost('why did we drop redis', 'Edit')).toBeGreaterThan(1);
  expect(intentBoost('why did we drop redis', 'Bash')).toBe(1);
  expect(intentBoost('please look at the redis setup', 'Edit')).toBe(1);
  expect(intentFactor(readQuery('why did we drop redis', false, true), 'Edit').value).toBe(1);
});
