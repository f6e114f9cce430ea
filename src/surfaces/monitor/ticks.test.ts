import fc from 'fast-check';
import { expect, test } from 'vitest';
import { intervalWords, secondsOf, wholeNumberOf } from './arguments.ts';
import { nextTick } from './ticks.ts';

test.each([
  ['a quick ping', 0, 3, 1],
  ['a slow ping', 0, 1_500, 2],
  ['a timer that rang early', 1, 999, 2],
  ['a machine that slept', 4, 100_500, 101],
])('after %s the next tick stands on the grid and lies ahead', (_name, last, elapsedMs, next) => {
  expect(nextTick(last, elapsedMs, 1_000)).toBe(next);
});

test('no tick is done twice, and none lies behind', () => {
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
  ['0', null],
  ['0.01', null],
  ['86401', null],
  ['-1', null],
  ['1e3', null],
  ['', null],
  ['ten', null],
])('an interval of %j is %j ms', (text, ms) => {
  expect(secondsOf(text)).toBe(ms);
});

test('what is said of an interval names the bounds', () => {
  expect(intervalWords).toBe('it must be a number of seconds from 0.1 to 86400.');
});

test.each([
  ['0', 0],
  ['2000', 2_000],
  ['1.5', null],
  ['-1', null],
  ['', null],
])('a threshold of %j is %j', (text, value) => {
  expect(wholeNumberOf(text)).toBe(value);
});
