import { expect, test } from 'vitest';
import { bridgeCodeMs, bridgeCodesMax } from '../limits.ts';
import { Codes } from './codes.ts';

test('a code opens once', () => {
  const codes = new Codes();
  const code = codes.issue();
  expect([codes.spend(code), codes.spend(code)]).toEqual([true, false]);
});

test('a code opens within a minute', () => {
  let now = 0;
  const codes = new Codes(() => now);
  const early = codes.issue();
  const late = codes.issue();
  now = bridgeCodeMs - 1;
  expect(codes.spend(early)).toBe(true);
  now = bridgeCodeMs;
  expect(codes.spend(late)).toBe(false);
});

test('a wrong code opens nothing and spends nothing', () => {
  const codes = new Codes();
  const code = codes.issue();
  expect([codes.spend(''), codes.spend('0'.repeat(64)), codes.spend(code.slice(1))]).toEqual([
    false,
    false,
    false,
  ]);
  expect(codes.spend(code)).toBe(true);
});

test('several are open at a time, a bounded number of them', () => {
  const codes = new Codes();
  const all = Array.from({ length: bridgeCodesMax + 1 }, () => codes.issue());
  expect(new Set(all).size).toBe(all.length);
  expect(all.map((code) => codes.spend(code))).toEqual([false, ...all.slice(1).map(() => true)]);
});
