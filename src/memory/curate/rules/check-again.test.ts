import { describe, expect, test } from 'vitest';
import { bash, edit, finding, type TestCall } from '../../../../test/support/curate/calls.ts';
import { checkAgain } from './check-again.ts';

const fails = (at: number, command = 'npm test', more: Partial<TestCall> = {}): TestCall =>
  bash(at, command, 'Exit code 1\n2 failed, 10 passed', { isError: true, ...more });
const passes = (at: number, command = 'npm test', more: Partial<TestCall> = {}): TestCall =>
  bash(at, command, '12 passed, 0 failed', more);

describe('check again', () => {
  test('a check that failed and now passes; the evidence says when, and what was edited in between', () => {
    expect(finding(checkAgain, fails(1), passes(9), [edit(5, 'a', 'b')])).toEqual({
      kind: 'supersedes',
      evidence:
        'check passed: `npm test` failed as #1 (2026-01-01T00:01:00Z) and passed as #9 (2026-01-01T00:09:00Z); edited between: #5',
    });
  });

  test('a check that passed and passes again, or fails now', () => {
    expect(finding(checkAgain, passes(1), passes(2))?.evidence).toContain('passed again');
    expect(finding(checkAgain, passes(1), fails(2))?.evidence).toContain('failed as #2');
  });

  test('two failures may have two reasons', () => {
    expect(finding(checkAgain, fails(1), fails(2))).toBeNull();
  });

  test('another check, or a part of one, says nothing of it', () => {
    expect(finding(checkAgain, fails(1), passes(2, 'npm run lint'))).toBeNull();
    expect(finding(checkAgain, fails(1), passes(2, 'npm test -- src/tax'))).toBeNull();
    expect(finding(checkAgain, fails(1, 'npm run lint && npm test'), passes(2))).toBeNull();
  });

  test('another folder may be another branch, also one that the command goes to first', () => {
    expect(finding(checkAgain, fails(1), passes(2, 'npm test', { cwd: '/elsewhere' }))).toBeNull();
    expect(finding(checkAgain, fails(1), passes(2, 'cd /elsewhere && npm test'))).toBeNull();
    expect(finding(checkAgain, fails(1), passes(2, 'cd /p && npm test'))).not.toBeNull();
  });

  test('a command that is given as a list of words is the same command', () => {
    const listed = (at: number, script: string): TestCall => ({
      ...passes(at),
      input: { command: ['bash', '-lc', script] },
    });
    expect(finding(checkAgain, fails(1), listed(2, 'cd /elsewhere && npm test'))).toBeNull();
    expect(finding(checkAgain, fails(1), listed(2, 'npm test'))).not.toBeNull();
  });

  test('without a folder only the same session is the same place', () => {
    const nowhere = { cwd: null };
    expect(finding(checkAgain, fails(1, 'npm test', nowhere), passes(2, 'npm test', nowhere))).not.toBeNull();
    const other = { cwd: null, sessionId: 's2' };
    expect(finding(checkAgain, fails(1, 'npm test', nowhere), passes(2, 'npm test', other))).toBeNull();
  });

  test('what ran on a stash or another branch is no news of these files', () => {
    expect(finding(checkAgain, fails(1), passes(2, 'git stash && npm test; git stash pop'))).toBeNull();
  });

  test('a command that could not begin has not failed as a check', () => {
    const output = "Exit code 2\nerror: unrecognized subcommand 'test'";
    expect(finding(checkAgain, bash(1, 'npm test', output, { isError: true }), passes(2))).toBeNull();
  });

  test('half an output is not taken for a pass', () => {
    const half = Array.from({ length: 5 }, (_, at) => `part ${at}`).join('\n');
    expect(finding(checkAgain, fails(1), bash(2, 'npm test | head -5', half))).toBeNull();
    expect(
      finding(checkAgain, fails(1), bash(2, 'npm test | tail -5', '12 passed, 0 failed')),
    ).not.toBeNull();
  });

  test('a check that fixes files does not undo its earlier result', () => {
    expect(finding(checkAgain, passes(1, 'npm run lint:fix'), passes(2, 'npm run lint:fix'))).toBeNull();
  });
});
