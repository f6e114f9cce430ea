import { describe, expect, test } from 'vitest';
import { bash, edit, facts, type TestCall } from '../../../test/support/curate/calls.ts';
import { reasonFor, reasonWords } from './candidates.ts';

const weight = (older: TestCall, newer: TestCall): number | undefined =>
  reasonFor({ older: facts(older), newer: facts(newer) })?.weight;

const inCart = (line: string): string =>
  `export function cartTotal(order) {\n  ${line}\n  return order.total;`;
const read = (at: number, output: string, more: Partial<TestCall> = {}): TestCall => ({
  at,
  tool: 'Read',
  input: { file_path: '/p/config.json' },
  output,
  ...more,
});
const test7 = (at: number, output: string): TestCall =>
  bash(at, 'npx vitest run', output, { isError: output.includes('FAIL') });

describe('a pair is worth a question', () => {
  test('when two sessions edited one symbol, not when one session did', () => {
    const older = edit(1, inCart('const fee = 1;'), inCart('const fee = feeOf(order);'));
    const newer = edit(9, inCart('const tax = 1;'), inCart('const tax = taxOf(order);'));
    expect(weight(older, { ...newer, sessionId: 's2' })).toBe(5);
    expect(weight(older, newer)).toBeUndefined();
    expect(weight(older, { ...newer, sessionId: 's2', cwd: '/q' })).toBeUndefined();
    expect(weight(older, { ...newer, sessionId: 's2', isError: true })).toBeUndefined();
  });

  test('when a check failed twice, and not alike', () => {
    expect(weight(test7(1, 'FAIL a.test.ts\n1 failed'), test7(2, 'FAIL b.test.ts\n3 failed'))).toBe(4);
    expect(
      weight(test7(1, 'FAIL a.test.ts\n1 failed'), test7(2, 'FAIL a.test.ts\n1 failed')),
    ).toBeUndefined();
  });

  test('when the same look gave another result', () => {
    expect(weight(read(1, '{"port": 3000}'), read(2, '{"port": 4000}'))).toBe(2);
    expect(weight(read(1, '{"port": 3000}'), read(2, '{"port": 3000}'))).toBeUndefined();
    expect(weight(bash(1, 'git status', 'clean'), bash(2, 'git status', '2 changed'))).toBeUndefined();
  });

  test('when two sessions say almost the same, with other figures', () => {
    const text = (ms: number): string => `The search of ten thousand notes took ${ms} steps on the old index`;
    const bench = (at: number, steps: number, sessionId: string): TestCall =>
      bash(at, `node bench.mjs --seed ${at}`, `${steps} steps`, { text: text(steps), sessionId });
    expect(weight(bench(1, 400, 's1'), bench(2, 90, 's2'))).toBe(1);
    expect(weight(bench(1, 400, 's1'), bench(2, 90, 's1'))).toBeUndefined();
  });

  test('with words for its reason', () => {
    expect(reasonWords(5)).toContain('symbol');
    expect(reasonWords(99)).not.toBe('');
  });
});
