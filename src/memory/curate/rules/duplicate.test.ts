import { describe, expect, test } from 'vitest';
import { bash, finding, type TestCall } from '../../../../test/support/curate/calls.ts';
import { duplicate } from './duplicate.ts';

const listing = 'cart.ts\ntax.ts\ntotal.ts\nround.ts';
const ls = (at: number, output: string, more: Partial<TestCall> = {}): TestCall =>
  bash(at, 'ls src', output, { text: `Ran ls src. ${output.split('\n').length} lines`, ...more });

describe('duplicate', () => {
  test('links the same call with the same result, and names both', () => {
    expect(finding(duplicate, ls(1, listing), ls(9, listing))).toEqual({
      kind: 'supersedes',
      evidence:
        'duplicate: #9 (2026-01-01T00:09:00Z) is the same call as #1 (2026-01-01T00:01:00Z), with the same result',
    });
  });

  test('does not care what a call says of itself, nor about times and caches', () => {
    const run = (at: number, seconds: string, description: string): TestCall => ({
      ...bash(at, '', `ok   cart ${seconds}s\nok   tax (cached)`, {
        text: `Ran go test (${seconds}s). 2 ok`,
      }),
      input: { command: 'go test ./...', description },
    });
    expect(finding(duplicate, run(1, '0.61', 'Run the tests'), run(2, '1.30', 'Again'))).not.toBeNull();
  });

  test('takes figures seriously', () => {
    expect(finding(duplicate, ls(1, listing), ls(2, `${listing}\nfee.ts`))).toBeNull();
  });

  test('leaves another command, another end, another folder and another result alone', () => {
    expect(
      finding(duplicate, ls(1, listing), bash(2, 'ls lib', listing, { text: 'Ran ls src. 4 lines' })),
    ).toBeNull();
    expect(finding(duplicate, ls(1, listing), ls(2, listing, { isError: true }))).toBeNull();
    expect(finding(duplicate, ls(1, listing), ls(2, listing, { cwd: '/other' }))).toBeNull();
    expect(finding(duplicate, ls(1, listing), ls(2, 'a.ts\nb.ts\nc.ts\nd.ts'))).toBeNull();
  });

  test('does not take the first task of two sessions for one', () => {
    const task = (at: number, sessionId: string): TestCall => ({
      at,
      tool: 'TaskUpdate',
      input: { taskId: '1', status: 'completed' },
      output: 'Updated task #1',
      sessionId,
    });
    expect(finding(duplicate, task(1, 'a'), task(2, 'b'))).toBeNull();
    expect(finding(duplicate, task(1, 'a'), task(2, 'a'))).not.toBeNull();
  });
});
