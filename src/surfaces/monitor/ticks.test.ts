import fc from 'fast-check';
import { expect, test } from 'vitest';
import { optionsOf } from './monitor.ts';
import { nextTick } from './watch.ts';

test.each([
  ['a quick ping', 0, 3, 1],
  ['a slow ping', 0, 1_500, 2],
  ['a timer that fired early', 1, 999, 2],
  ['a machine that slept', 4, 100_500, 101],
])('after %s the next tick is on the grid and in the future', (_name, last, elapsedMs, next) => {
  expect(nextTick(last, elapsedMs, 1_000)).toBe(next);
});

test('no tick is repeated, and none is in the past', () => {
  fc.assert(
    fc.property(
      fc.nat(1_000),
      fc.nat(5_000_000),
      fc.integer({ min: 100, max: 90_000 }),
      (last, elapsed, ms) => {
        const next = nextTick(last, elapsed, ms);
        expect(next).toBeGreaterThan(last);
        expect(next * ms).toBeGreaterThanOrEqual(elapsed);
      },
    ),
  );
});

test.each([
  ['30', 30_000],
  ['0.5', 500],
  ['86400', 86_400_000],
])('an interval of %j s is %i ms', (text, intervalMs) => {
  expect(optionsOf([`--interval=${text}`])).toMatchObject({ intervalMs });
});

test.each(['0', '0.01', '86401', '-1', '1e3', '', 'ten'])('an interval of %j is refused', (text) => {
  expect(optionsOf([`--interval=${text}`])).toBe(
    '--interval: it must be a number of seconds from 0.1 to 86400.',
  );
});
