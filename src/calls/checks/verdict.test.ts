import { describe, expect, test } from 'vitest';
import { readCall } from '../call/index.ts';
import { checked } from './run.ts';

/** How the checks of a command ended that printed `lines`; `code` is the exit status of the whole. */
function ended(command: string, lines: readonly string[], code = 0): string {
  const output = lines.join('\n');
  return checked(
    readCall({
      tool: 'Bash',
      input: { command },
      output: code === 0 ? { stdout: output, stderr: '' } : `Exit code ${code}\n${output}`,
      sessionId: 's',
      toolUseId: null,
      ts: '2026-01-01T12:00:00.000Z',
      client: 'claude-code',
      isError: code !== 0,
      cwd: '/p',
    }),
  );
}

/** What the code under test prints, in tests that pass. */
const noise = [
  '[Mill] could not grind',
  'error: the wheel is stuck',
  '      at <anonymous> (src/mill.test.ts:7:11)',
];
const bun = (failures: number): string[] => [
  ' 12 pass',
  ` ${failures} fail`,
  'Ran 12 tests across 3 files. [9.00ms]',
];

describe('a run of tests that prints errors of the tested code', () => {
  test('has passed when its count says so, and failed when that does', () => {
    expect(ended('bun test 2>&1 | tail -20', [...noise, ...bun(0)])).toBe('passed');
    expect(ended('bun test 2>&1 | tail -20', [...noise, ...bun(2)])).toBe('failed');
    expect(ended('bun run test 2>&1 | grep -E "error|fail"', [...noise, ' 0 fail'])).toBe('passed');
  });

  test('has ended nobody knows how, where its end is not to be seen', () => {
    expect(ended('bun run test 2>&1 | grep error', noise)).toBe('unknown');
    expect(ended('bun run test 2>&1 | head -4', ['$ bun test', ...noise])).toBe('unknown');
    expect(ended('npm run test:unit 2>&1 | head -n 3', noise)).toBe('unknown');
  });

  test('has failed where the runner itself says so, whatever the count', () => {
    const last = 'error: script "test" exited with code 1';
    expect(ended('bun run test 2>&1 | grep error', [...noise, last])).toBe('failed');
    expect(ended('bun run test 2>&1 | tail -4', [...bun(0), last])).toBe('failed');
    expect(ended('bun test 2>&1 | grep -A2 "(fail)"', [...noise, '(fail) mill > grinds [0.40ms]'])).toBe(
      'failed',
    );
  });

  test('has failed in a wrapper that ends well itself', () => {
    const last = 'error: script "test" exited with code 1';
    expect(ended('rtk test bun run test', [...bun(2), last])).toBe('failed');
  });

  test('is not judged by what later programs print', () => {
    const command = 'go build -o mill ./cmd/mill && (./mill grind; echo "Exit: $?")';
    expect(ended(command, ['Error: no grain', 'Exit: 1'])).toBe('passed');
    expect(ended('go build -o mill ./cmd/mill; ./mill grind', ['panic: no grain'])).toBe('unknown');
  });

  test('of which the first lines are all that was seen, and all of them', () => {
    expect(ended('go test ./... -v | head -100', ['--- PASS: TestMill (0.00s)', 'ok  \tmill\t0.6s'])).toBe(
      'passed',
    );
    const many = Array.from({ length: 5 }, (_, at) => `--- PASS: TestMill${at} (0.00s)`);
    expect(ended('go test ./... -v | head -5', many)).toBe('unknown');
  });
});

describe('a linter whose output was cut', () => {
  const heading = 'src/mill.ts format ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━';
  const complaint = '  × Formatter would have printed the following content:';

  test('has failed when a complaint is among the lines that are left', () => {
    expect(
      ended('bun run lint 2>&1 | head -5', ['$ biome check', heading, complaint, '1 │ - a', '1 │ + a']),
    ).toBe('failed');
    expect(ended('bun run lint 2>&1 | grep "×" | head -10', [complaint])).toBe('failed');
    expect(
      ended('npx tsc --noEmit | head -2', ["src/mill.ts(3,7): error TS2304: Cannot find name 'rye'.", 'x']),
    ).toBe('failed');
  });

  test('has passed when its count is there, and ended nobody knows how when it is not', () => {
    expect(
      ended('bun run lint 2>&1 | head -2', ['$ biome check', 'Checked 267 files in 73ms. No fixes applied.']),
    ).toBe('passed');
    const warning = [
      '$ biome check',
      heading,
      '  ! This hook specifies more dependencies than necessary.',
      '30 │ useEffect',
    ];
    expect(ended('bun run lint 2>&1 | head -4', warning)).toBe('unknown');
    expect(ended('npm run typecheck 2>&1 | head -50', ['> tsc --noEmit'])).toBe('passed');
  });
});

describe('a check that could not begin', () => {
  test.each([
    [
      'rtk bun run test 2>&1 | tail -20',
      ["error: unrecognized subcommand 'bun'", 'Usage: rtk [OPTIONS] <COMMAND>'],
      0,
    ],
    ['bun run lint', ['error: Script not found "lint"'], 1],
    ['npm run lint', ['npm error Missing script: "lint"'], 1],
    ['vitest run', ['/bin/bash: line 1: vitest: command not found'], 127],
    ['pytest', ['sh: 1: pytest: not found'], 127],
  ])('has neither passed nor failed: %s', (command, lines, code) => {
    expect(ended(command, lines, code)).toBe('none');
  });

  test('is not one that fails because something else is not found', () => {
    expect(ended('npm test', ['FAIL src/mill.test.ts', 'Error: rye not found'], 1)).toBe('failed');
  });
});
