import { expect, test } from 'vitest';
import { interval, paired, seeded } from './bootstrap.mjs';

test('equal differences leave no doubt', () => {
  expect(interval([0.25, 0.25, 0.25])).toEqual({ mean: 0.25, low: 0.25, high: 0.25 });
});

test('the interval is that of the mean: 1.96 standard errors on both sides of many draws', () => {
  // 200 zeros and 200 ones: mean 0.5, standard error sqrt(0.25 / 400) = 0.025.
  const differences = Array.from({ length: 400 }, (_, at) => at % 2);
  const { mean, low, high } = interval(differences, { resamples: 10_000 });
  expect(mean).toBe(0.5);
  expect(low).toBeCloseTo(0.5 - 1.96 * 0.025, 2);
  expect(high).toBeCloseTo(0.5 + 1.96 * 0.025, 2);
});

test('the same seed gives the same interval, another seed another', () => {
  const differences = Array.from({ length: 50 }, (_, at) => Math.sin(at));
  expect(interval(differences, { seed: 7 })).toEqual(interval(differences, { seed: 7 }));
  expect(interval(differences, { seed: 7 })).not.toEqual(interval(differences, { seed: 8 }));
});

test('two draws of two: the ends are among the only three means there are', () => {
  const { low, high } = interval([0, 1]);
  expect([low, high]).toEqual([0, 1]);
});

test('no difference, no interval', () => {
  expect(interval([])).toBeNull();
});

test('pairs are compared query by query, and must be the same many', () => {
  expect(paired([{ f: 1 }, { f: 0.5 }], [{ f: 0.25 }, { f: 1 }], 'f')).toEqual([0.75, -0.5]);
  expect(() => paired([{ f: 1 }], [], 'f')).toThrow('1 queries against 0');
});

test('the numbers drawn fill 0 to below 1 evenly', () => {
  const random = seeded(1);
  const tenths = new Array(10).fill(0);
  for (let drawn = 0; drawn < 10_000; drawn += 1) tenths[Math.floor(random() * 10)] += 1;
  expect(Math.min(...tenths)).toBeGreaterThan(900);
  expect(Math.max(...tenths)).toBeLessThan(1_100);
});
