import { expect, test } from 'vitest';
import { bridgeCodeMs } from '#core/limits';
import { bridgeCodesMax, oneTimeCodes } from './codes.ts';

test('a code opens once', () => {
  const codes = oneTimeCodes();
  const code = codes.issue();
  expect([codes.spend(code), codes.spend(code), codes.spend(code)]).toEqual(['opens', 'used', 'used']);
});

test('a code opens within a minute; one that was used is known after it', () => {
  let now = 0;
  const codes = oneTimeCodes(() => now);
  const early = codes.issue();
  const late = codes.issue();
  now = bridgeCodeMs - 1;
  expect(codes.spend(early)).toBe('opens');
  now = bridgeCodeMs;
  expect([codes.spend(late), codes.spend(early)]).toEqual(['unknown', 'used']);
});

test('a wrong code opens nothing and spends nothing', () => {
  const codes = oneTimeCodes();
  const code = codes.issue();
  expect([codes.spend(''), codes.spend('0'.repeat(64)), codes.spend(code.slice(1))]).toEqual([
    'unknown',
    'unknown',
    'unknown',
  ]);
  expect(codes.spend(code)).toBe('opens');
});

test('several are open at a time, a bounded number of them', () => {
  const codes = oneTimeCodes();
  const all = Array.from({ length: bridgeCodesMax + 1 }, () => codes.issue());
  expect(new Set(all).size).toBe(all.length);
  expect(all.map((code) => codes.spend(code))).toEqual(['unknown', ...all.slice(1).map(() => 'opens')]);
});

test('codes of a former token are treated like any other text', () => {
  const codes = oneTimeCodes();
  const [used, open] = [codes.issue(), codes.issue()];
  codes.spend(used);
  codes.forgetUsed();
  expect([codes.spend(used), codes.spend(open)]).toEqual(['unknown', 'opens']);
});
