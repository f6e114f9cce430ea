import { expect, it } from 'vitest';
import { addStretch, workApart, workMsIn } from './work.ts';

const minute = 60_000;

function workOf(...minutes: readonly number[]): [number, number][] {
  const worked: [number, number][] = [];
  for (const at of minutes) addStretch(worked, [at * minute, at * minute]);
  return worked;
}

it('counts the time between events without pauses', () => {
  expect(workMsIn(workOf())).toBe(0);
  expect(workMsIn(workOf(3))).toBe(0);
  expect(workMsIn(workOf(0, 10, 24, 39, 50, 700, 701))).toBe((24 + 11 + 1) * minute);
  expect(workMsIn(workOf(0, Number.NaN, 1))).toBe(minute);
});

it('keeps the sum of more pauses than it stores', () => {
  const worked = workOf(...Array.from({ length: 1_000 }, (_, at) => [20 * at, 20 * at + 1]).flat());
  expect(worked.length).toBeLessThan(1_000);
  expect(workMsIn(worked)).toBe(1_000 * minute);
});

it('says both only where they differ much and times are known', () => {
  expect(workApart(30 * minute, 300 * minute)).toBe(30 * minute);
  for (const worked of [290, 0, undefined])
    expect(workApart(worked && worked * minute, 300 * minute)).toBeNull();
  // Both would be `1 min`.
  expect(workApart(1.1 * minute, 1.9 * minute)).toBeNull();
});
