import { expect, it } from 'vitest';
import { rateBinMs, rateWindowMs } from '../limits.ts';
import { captureRate } from './rate.ts';

const bins = rateWindowMs / rateBinMs;

it('counts what came while it looked, the newest on the right', () => {
  const samples = [
    { atMs: 0, events: 1_000 },
    { atMs: 1_000, events: 1_004 },
    { atMs: 70_000, events: 1_005 },
    { atMs: 71_000, events: 1_007 },
  ];
  const rate = captureRate(samples, 75_000);
  expect(rate.perMinute).toBe(3);
  expect(rate.bins).toHaveLength(bins);
  expect(rate.bins.at(-1)).toBe(3);
  expect(rate.bins.reduce((sum, one) => sum + one, 0)).toBe(7);
});

it('takes a total that fell for nothing new, and what is too old for gone', () => {
  expect(
    captureRate(
      [
        { atMs: 0, events: 9 },
        { atMs: 10, events: 4 },
      ],
      20,
    ).perMinute,
  ).toBe(0);
  expect(
    captureRate(
      [
        { atMs: 0, events: 0 },
        { atMs: 10, events: 4 },
      ],
      rateWindowMs * 2,
    ).bins,
  ).toEqual(new Array(bins).fill(0));
});
