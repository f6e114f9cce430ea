import { describe, expect, test } from 'vitest';
import { bash, edit, finding, type TestCall } from '../../../../test/support/curate/calls.ts';
import { checksDisagree } from './checks-disagree.ts';

const fails = (at: number, more: Partial<TestCall> = {}): TestCall =>
  bash(at, 'npm test', 'Exit code 1\n1 failed, 11 passed', { isError: true, ...more });
const passes = (at: number, more: Partial<TestCall> = {}): TestCall =>
  bash(at, 'npm test', '12 passed, 0 failed', more);
const reads: TestCall = { at: 3, tool: 'Read', input: { file_path: '/p/src/cart.ts' }, output: 'x' };

describe('checks disagree', () => {
  test('opposite ends with nothing but looking in between stand against each other', () => {
    expect(finding(checksDisagree, fails(1), passes(5), [reads])?.kind).toBe('contradicts');
    expect(finding(checksDisagree, passes(1), fails(5, { sessionId: 's2' }), [])?.kind).toBe('contradicts');
  });

  test('anything in between that may have changed something explains it', () => {
    expect(finding(checksDisagree, fails(1), passes(5), [edit(3, 'a', 'b')])).toBeNull();
    expect(finding(checksDisagree, fails(1), passes(5), [bash(3, 'npm run lint:fix', '')])).toBeNull();
    expect(finding(checksDisagree, fails(1), passes(5), [bash(3, 'npm install', '')])).toBeNull();
  });

  test('only the run before counts', () => {
    expect(finding(checksDisagree, fails(1), passes(5), [passes(3)])).toBeNull();
  });

  test('so does much happening, much time, or another folder', () => {
    expect(finding(checksDisagree, fails(1), passes(5), null)).toBeNull();
    expect(finding(checksDisagree, fails(1), passes(60), [])).toBeNull();
    expect(finding(checksDisagree, fails(1), passes(5, { cwd: '/q' }), [])).toBeNull();
  });
});
