import { describe, expect, test } from 'vitest';
import { bash, edit, finding, type TestCall } from '../../../../test/support/curate/calls.ts';
import { retried } from './retried.ts';

const before = 'const fee = 1;';
const after = 'const fee = feeFor(order.country);\nconst rounded = round(fee);';
const missed = (at: number): TestCall =>
  edit(at, before, after, { isError: true, output: 'String to replace not found in file.' });

describe('retried', () => {
  test('links an edit that failed to the one that brought the same lines', () => {
    const found = finding(
      retried,
      missed(1),
      edit(2, `${before}\nconst tax = 2;`, `${after}\nconst tax = 2;`),
    );
    expect(found?.evidence).toContain('the edit that failed as #1');
  });

  test('leaves an edit of other lines, of another file, or one that failed again alone', () => {
    expect(finding(retried, missed(1), edit(2, before, 'const fee = 3;'))).toBeNull();
    const elsewhere = { file_path: '/p/src/tax.ts', old_string: before, new_string: after };
    expect(finding(retried, missed(1), edit(2, before, after, { input: elsewhere }))).toBeNull();
    expect(finding(retried, missed(1), missed(2))).toBeNull();
  });

  test('links a command that failed to the same one when it surely worked', () => {
    const push = (at: number, more: Partial<TestCall>): TestCall => bash(at, 'git push', 'x', more);
    expect(finding(retried, push(1, { isError: true }), push(2, {}))).not.toBeNull();
    const piped = (at: number, more: Partial<TestCall>): TestCall => bash(at, 'git push; true', 'x', more);
    expect(finding(retried, piped(1, { isError: true }), bash(2, 'git push origin', 'x'))).toBeNull();
  });

  test('keeps what the user said in refusing', () => {
    const output = "The user doesn't want to proceed with this tool use. They said: not on main";
    expect(
      finding(retried, bash(1, 'git push', output, { isError: true }), bash(2, 'git push', 'x')),
    ).toBeNull();
  });
});
