import { expect, test } from 'vitest';
import { costMicroUsd, pricesAsOf } from './prices.ts';

const million = { calls: 1, inputTokens: 1_000_000, outputTokens: 1_000_000 };

test.each([
  ['claude-haiku-4-5', 6_000_000],
  ['claude-haiku-4-5-20251001', 6_000_000],
  ['claude-sonnet-4-5', 18_000_000],
  ['claude-opus-4-5-20251101', 30_000_000],
  ['claude-opus-4-1', 90_000_000],
  ['claude-opus-4-20250514', 90_000_000],
  ['claude-opus-4-0', 90_000_000],
  ['claude-3-5-haiku-latest', 4_800_000],
  ['claude-3-5-haiku-20241022', 4_800_000],
])('%s: a million tokens each way cost %d micro-dollars', (model, cost) => {
  expect(costMicroUsd(model, million)).toBe(cost);
});

test.each([
  'claude-haiku-9',
  'claude-opus-4-6',
  'claude-haiku-4-50',
  'my-claude-haiku-4-5',
  'llama3.2:3b',
  '',
])('the price of %j is not known, and none is made up', (model) => {
  expect(costMicroUsd(model, million)).toBeNull();
});

test('parts of a micro-dollar are rounded up, so that no call is free', () => {
  expect(costMicroUsd('claude-3-5-haiku-latest', { calls: 1, inputTokens: 1, outputTokens: 0 })).toBe(1);
  expect(costMicroUsd('claude-haiku-4-5', { calls: 1, inputTokens: 0, outputTokens: 0 })).toBe(0);
});

test('the table says of when it is', () => {
  expect(Number.isNaN(Date.parse(pricesAsOf))).toBe(false);
});
