import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { complaintsIn, recallComplaintsMax } from './complaints.ts';

const first = (output: string) => complaintsIn(output)[0];

describe('complaints', () => {
  test.each([
    ["Exit code 2\nerror: unrecognized subcommand 'grind'\n\nUsage: mill [OPTIONS]", 'setup', null],
    ['cat: illegal option -- A', 'setup', null],
    ['gh: Not Found (HTTP 404)', 'setup', null],
    ['=== RUN TestMill\n--- FAIL: TestMill (0.02s)\nFAIL', 'test', null],
    ['src/mill.ts(4,2): error TS2322: Type number is not a string', 'place', 'mill.ts'],
    [
      '[lint] a/mill.go:12:3: string `ear` has 3 occurrences, make it a constant (goconst)',
      'place',
      'mill.go',
    ],
    [
      'src/mill.ts format ━━━━━━━━\n  × Formatter would have printed the following content:',
      'place',
      'mill.ts',
    ],
    ['fatal: refusing to merge unrelated histories', 'error', null],
  ])('of %j are of trouble %s', (output, trouble, file) => {
    expect(first(output)).toMatchObject({ trouble, file });
  });

  test('leave out what differs from run to run', () => {
    const at = (line: number, folder: string): string =>
      `${folder}/mill.go:${line}:2: sack ${line} holds no ${folder}/ear`;
    expect(first(at(12, '/home/one'))).toMatchObject({ kind: first(at(99, '/srv/two'))?.kind });
    const test = (time: string): string => `--- FAIL: TestMill (${time})`;
    expect(first(test('0.02s'))?.kind).toBe(first(test('1.90s'))?.kind);
  });

  test('what kept a command from its work stands at an end of what it said', () => {
    const long = Array.from({ length: 40 }, (_, at) => `log line ${at} of the mill`);
    expect(complaintsIn([...long, 'sh: mill: command not found', ...long].join('\n'))).toEqual([]);
    expect(first(['sh: mill: command not found', ...long].join('\n'))).toMatchObject({ trouble: 'setup' });
  });

  test('are none when the output does not show what went wrong', () => {
    for (const output of ['', 'Exit code 1', 'ok', '  12 | const a = 1;', 'task failed'])
      expect(complaintsIn(output)).toEqual([]);
  });

  test('are few and made of single lines, whatever is said', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3_000 }), (output) => {
        const found = complaintsIn(output);
        expect(found.length).toBeLessThanOrEqual(recallComplaintsMax);
        expect(found.every(({ kind, shown }) => !/\n/.test(kind + shown))).toBe(true);
      }),
    );
  });
});
