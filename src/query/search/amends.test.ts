import { expect, test } from 'vitest';
import { amends } from './amends.ts';

const amended = [
  ['we use Redis for sessions', "let's switch to Postgres instead of Redis for sessions"],
  ['timeout is 30 s', 'make the timeout 60 s'],
  ['I propose to cache the parsed config in memory', "no, don't cache the parsed config"],
  ['the exporter writes CSV files', 'change the exporter from CSV to Parquet files'],
  ['deploys run from the main branch every night', 'deploys no longer run every night, only on tags'],
] as const;

test.each(amended)('%s: amended by: %s', (earlier, later) => {
  expect(amends(later, earlier)).toBe(true);
  expect(amends(earlier, later)).toBe(false);
});

test.each([
  ['we use Redis for sessions', 'use Redis for the rate limiter too'],
  ['run the unit tests before each commit', "don't run the e2e tests before each commit"],
  ['we use tabs in Go files', 'use spaces instead of tabs in YAML files'],
  ['the timeout for reads is 5 s', 'make the timeout for writes 10 s'],
  ["Thanks! I won't quit on my dreams", "Don't quit"],
])('%s: not amended by: %s', (earlier, later) => {
  expect(amends(later, earlier)).toBe(false);
});
