import { describe, expect, test } from 'vitest';
import { endedCommand } from '../../../test/support/calls/sample.ts';
import { checked, commandRun, commandVerdict } from './run.ts';

const ended = (...of: Parameters<typeof endedCommand>): string => checked(endedCommand(...of));

describe('a check that never began', () => {
  test('is not ok behind a pipe', () => {
    const call = endedCommand('rtk bun run test 2>&1 | tail -20', ["error: unrecognized subcommand 'bun'"]);
    expect([checked(call), commandVerdict(call)]).toEqual(['none', 'failed']);
  });

  test.each([
    ["cat -A src/mill.ts | sed -n '3p'", ['cat: illegal option -- A', 'usage: cat [-belnstuv] [file ...]']],
    ['find . -name "mill*" | head -5', ["error: unexpected argument '-n' found", '', 'Usage: rtk find']],
    ['gh api repos/mill/wheel/pulls/3 | jq .body', ['gh: Not Found (HTTP 404)']],
    ['bash scripts/mill.sh --help 2>&1 | head -10', ['scripts/mill.sh: line 16: MILL: unbound variable']],
    [
      'ls wheel stone 2>&1 | tail -5',
      ['ls: wheel: No such file or directory', 'ls: stone: No such file or directory'],
    ],
  ])('%s failed behind its pipe', (command, lines) => {
    expect(commandVerdict(endedCommand(command, lines))).toBe('failed');
  });

  test('a file that is missing among others, or says so itself, is no failure of the command', () => {
    const listed = ['ls: wheel: No such file or directory', 'stone'];
    expect(commandVerdict(endedCommand('ls wheel stone 2>&1 | tail -5', listed))).not.toBe('failed');
    const fallen = endedCommand('gh api mill 2>&1 || gh api wheel', ['gh: Not Found (HTTP 404)', '{}']);
    expect(commandVerdict(fallen)).toBe('none');
    const two = endedCommand('./mill.sh; ./wheel.sh', ['head: stone: No such file or directory']);
    expect(commandVerdict(two)).toBe('passed');
    expect(commandVerdict(endedCommand('cat logo.svg', ['404: Not Found']))).toBe('passed');
  });

  test('has no end where a step before it failed, or where its flag is not possible', () => {
    const format = [
      '> mill@1.0.0 format',
      '> biome check --write',
      'src/a.ts:3:7 parse ━━━',
      'error: 1 file',
    ];
    expect(ended('npm run format && npm run check', format, 1)).toBe('none');
    expect(ended('npm test', ['> mill@1.0.0 pretest', '> tsc', 'src/a.ts:3:7 error TS1: x'], 1)).toBe(
      'failed',
    );
    expect(
      ended('go test ./... -race', ['go: -race requires cgo; enable cgo by setting CGO_ENABLED=1'], 2),
    ).toBe('none');
  });
});

test('of a chain that failed, what the package manager began last has failed', () => {
  const lines = ['> mill@1.0.0 check', '> biome check', '', 'Found 1 error.'];
  const { checks } = commandRun(endedCommand('npm run check && npm test', lines, 1));
  expect(checks.map(({ verdict }) => verdict)).toEqual(['failed', 'failed', 'none']);
  const begun = [...lines.slice(0, 2), '', '> mill@1.0.0 test', '> vitest run', '', '1 failed | 2 passed'];
  const short = commandRun(endedCommand('npm run check && npm t', begun, 1)).checks;
  expect(short.find(({ name }) => name === 'npm run check')?.verdict).not.toBe('failed');
  const said = ['$ biome check', '× noRust', 'error: script "lint" exited with code 1'];
  const bun = commandRun(endedCommand('bun run lint && bun run test 2>&1 | tail -3', said, 1));
  expect(bun.checks.at(1)?.verdict).toBe('failed');
  const both = [' 1274 pass', ' 0 fail', 'Found 2 errors.', 'error: script "lint" exited with code 1'];
  const piped = commandRun(
    endedCommand('bun run test 2>&1 | tail -20 && bun run lint 2>&1 | tail -20', both),
  );
  expect(piped.checks.map(({ verdict }) => verdict)).toEqual(['failed', 'passed', 'failed']);
});

test('Dialyzer says how it ended', () => {
  expect(
    ended('mix dialyzer 2>&1 | tail -5', ['Total errors: 0, Skipped: 0', 'done (passed successfully)']),
  ).toBe('passed');
  expect(ended('mix dialyzer 2>&1 | tail -5', ['done (warnings were emitted)'])).toBe('failed');
});

test('MSBuild says in any language whether it succeeded', () => {
  const lines = (errors: number) => [
    'Oluşturma bitti.',
    '    0 Uyarı',
    `    ${errors} Hata`,
    '',
    'Geçen Süre 00:00:02.69',
  ];
  expect(ended('dotnet build mill.sln 2>&1 | tail -8', lines(0))).toBe('passed');
  expect(ended('dotnet build mill.sln 2>&1 | tail -8', lines(2))).toBe('failed');
});
