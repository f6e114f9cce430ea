import { expect, test } from 'vitest';
import { shownUsage } from './usage.ts';

const row = { day: '2026-01-01', backend: 'hosted', model: 'm', calls: 1, inputTokens: 10, outputTokens: 2 };

test('a cost is shown in dollars', () => {
  expect(shownUsage([{ ...row, costMicroUsd: 1_234_567 }])).toEqual([{ ...row, costUsd: 1.234567 }]);
});

test('a paid model without a known price has no cost rather than none to pay', () => {
  expect(shownUsage([{ ...row, costMicroUsd: 0 }])).toEqual([{ ...row, costUsd: null }]);
});

test('what is not paid, or not used, costs nothing', () => {
  const local = { ...row, backend: 'local' };
  const unused = { ...row, inputTokens: 0, outputTokens: 0 };
  expect(
    shownUsage([
      { ...local, costMicroUsd: 0 },
      { ...unused, costMicroUsd: 0 },
    ]),
  ).toEqual([
    { ...local, costUsd: 0 },
    { ...unused, costUsd: 0 },
  ]);
});
