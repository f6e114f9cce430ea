import { describe, expect, test } from 'vitest';
import { endedCommand } from '../../../test/support/calls/sample.ts';
import { checked, commandVerdict } from './run.ts';

const ended = (...of: Parameters<typeof endedCommand>): string => checked(endedCommand(...of));

describe('a run that did nothing', () => {
  test.each([
    ['go test ./... -run TestGate', 'ok  \tmill/gate\t0.2s [no tests to run]'],
    ['go build ./none/...', 'go: warning: "./none/..." matched no packages'],
    ['npx jest gate --passWithNoTests', 'No tests found, exiting with code 0'],
    ['go test ./cmd', '?   \tmill/cmd\t[no test files]'],
    ['cargo test gate', 'running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored'],
  ])('%s has not passed', (command, output) => {
    const call = endedCommand(command, output.split('\n'));
    expect(checked(call)).toBe('none');
    expect(commandVerdict(call)).toBe('none');
  });

  test('has passed where one of its packages ran', () => {
    const lines = ['ok  \tmill/gate\t0.2s [no tests to run]', 'ok  \tmill/bell\t0.3s'];
    expect(ended('go test ./... -run TestBell', lines)).toBe('passed');
  });
});

describe('Pester', () => {
  const counts = (failed: number): string[] => [
    `Tests Passed: 4, Failed: ${failed}, Skipped: 0, Inconclusive: 0, NotRun: 0`,
  ];
  test('is a check, also behind a pipe and in a shell of its own', () => {
    const piped = 'Invoke-Pester -Path tests -Output Minimal 2>&1 | Select-Object -Last 3';
    expect(ended(piped, counts(0))).toBe('passed');
    expect(ended(piped, counts(1))).toBe('failed');
    expect(ended('pwsh -NoProfile -Command "Invoke-Pester tests" | tail -3', counts(2))).toBe('failed');
  });
});

test('ends a commit that its hook refused as failed, whatever the hook printed and its wrapper says', () => {
  const said = ['mill.ts(5,3): error TS2322: no rye', 'husky - pre-commit script failed (code 2)'];
  expect(commandVerdict(endedCommand('rtk git commit -m Oil', said))).toBe('failed');
});

test('what is not formatted stands next to a check that passed, and nothing says that all is well', () => {
  const lines = ['== fmt', 'mill.go', '== vet'];
  const call = endedCommand('echo "== fmt"; gofmt -l .; echo "== vet"; go vet ./... 2>&1 | tail -5', lines);
  expect([checked(call), commandVerdict(call)]).toEqual(['passed', 'none']);
});

test('a pipe behind an unknown runner hides no failed tests', () => {
  const verdict = (last: string): string => commandVerdict(endedCommand('./grind.sh 2>&1 | tail -3', [last]));
  expect(verdict('Tests: 1 failed, 4 passed, 5 total')).toBe('unknown');
  expect(verdict('Tests: 5 passed, 5 total')).toBe('passed');
});

test('another form of the output selects nothing, and what another command stands in for has no end', () => {
  const verdict = (command: string): string => commandVerdict(endedCommand(command, ['{ "sacks": 7 }']));
  for (const form of ['ConvertTo-Json -Depth 4', 'Format-Table', 'Out-String'])
    expect(verdict(`./Count-Sacks.ps1 | ${form}`)).toBe('passed');
  expect(verdict('./count-sacks.sh | grep sacks')).toBe('none');
  for (const other of ['echo none', 'true', 'exit 0'])
    expect(verdict(`./count-sacks.sh || ${other}`)).toBe('none');
  for (const ends of ['&& echo fine', '|| exit 1', '|| exit', '|| false'])
    expect(verdict(`./count-sacks.sh ${ends}`)).toBe('passed');
});

test.each([
  ['git push origin main 2>&1 | tail -3', 'failed'],
  ['git -C mill pull | tail -1', 'failed'],
  ['git push origin main || git push backup main', 'none'],
  ['cat push.log | tail -3', 'unknown'],
])('what git says behind a pipe: %s', (command, verdict) =>
  expect(
    commandVerdict(
      endedCommand(command, [
        ' ! [remote rejected] main -> main (protected branch)',
        'error: failed to push some refs',
      ]),
    ),
  ).toBe(verdict),
);
