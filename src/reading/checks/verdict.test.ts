import { describe, expect, test } from 'vitest';
import { readCall } from '#reading/call';
import { endedCommand } from '../../../test/support/calls/sample.ts';
import { checked } from './run.ts';

/** How the checks of a command ended. */
const ended = (...of: Parameters<typeof endedCommand>): string => checked(endedCommand(...of));

const codexCall = {
  tool: 'Bash',
  input: { command: 'pytest' },
  sessionId: 's',
  toolUseId: null,
  ts: '2026-01-01T12:00:00.000Z',
  client: 'codex',
  isError: false,
  cwd: '/p',
};

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
    const xunit = '[xUnit.net 00:00:00.93]     Mill.Tests.Grinds(sacks: 0) [FAIL]';
    expect(ended('dotnet test mill.sln | grep -A 6 sacks | head -14', [xunit, 'Expected: 1'])).toBe('failed');
    expect(ended('dotnet test | head -2', ['  Failed Mill.Tests.Grinds [12 ms]', 'x'])).toBe('failed');
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

describe('what runners, compilers, linters and builders print, behind a pipe that hides the exit status', () => {
  const passes: [string, string][] = [
    ['npx vitest run', ' Test Files  3 passed (3)\n      Tests  40 passed (40)'],
    [
      'npx jest',
      'PASS src/a.test.ts\nTests:       1 skipped, 40 passed, 41 total\nTest Suites: 3 passed, 3 total',
    ],
    ['npx mocha', '  12 passing (30ms)'],
    ['npx ava', '  ✔ mill › grinds\n\n  3 tests passed'],
    ['node --test', '✔ grinds (0.5ms)\nℹ tests 3\nℹ pass 3\nℹ fail 0'],
    ['deno test', 'grinds ... ok (2ms)\n\nok | 3 passed | 0 failed (12ms)'],
    ['bun test', ' 12 pass\n 0 fail\nRan 12 tests across 3 files. [9.00ms]'],
    ['npx playwright test', '  12 passed (3.1s)'],
    ['npx cypress run', '  ✔  All specs passed!                        00:03       12       12'],
    ['pytest -q', '....................  [100%]\n20 passed in 1.92s'],
    ['pytest', '============ 12 passed, 1 skipped in 0.10s ============'],
    ['python -m unittest', '----------\nRan 3 tests in 0.001s\n\nOK (skipped=1)'],
    ['tox', '  py311: OK (3.20 seconds)\n  congratulations :) (3.30 seconds)'],
    ['cargo test', 'running 3 tests\n\ntest result: ok. 3 passed; 0 failed; 0 ignored'],
    ['cargo nextest run', '     Summary [   0.102s] 10 tests run: 10 passed, 0 skipped'],
    ['cargo clippy', '    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.50s'],
    ['go test ./...', 'ok  \texample.test/lib\t0.412s\n?   \texample.test/cmd\t[no test files]'],
    ['gotestsum', 'DONE 12 tests in 0.301s'],
    ['./gradlew test', '> Task :test\n\nBUILD SUCCESSFUL in 3s'],
    ['mvn -q verify', '[INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS'],
    [
      'dotnet test',
      'Passed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12, Duration: 9 ms - a.dll (net9.0)',
    ],
    [
      'dotnet test',
      'Bestanden!  - Fehler:     0, erfolgreich:    12, übersprungen:     0, gesamt:    12, Dauer: 9 ms - a.dll',
    ],
    ['dotnet build', 'Build succeeded.\n    0 Warning(s)\n    0 Error(s)'],
    ['bundle exec rspec', 'Finished in 0.1 seconds\n12 examples, 0 failures, 2 pending'],
    ['vendor/bin/phpunit', 'OK (12 tests, 30 assertions)'],
    ['ctest', '100% tests passed, 0 tests failed out of 3'],
    ['swift test', 'Executed 3 tests, with 0 failures (0 unexpected) in 0.1 (0.2) seconds'],
    ['mix test', 'Finished in 0.1 seconds\n14 doctests, 410 tests, 0 failures'],
    ['tsc --noEmit', ''],
    ['npx eslint .', ''],
    ['npm run lint', '> mill@1.0.0 lint\n> eslint .'],
    ['npx eslint .', '/p/a.ts\n  3:7  warning  unused\n\n✖ 2 problems (0 errors, 2 warnings)'],
    ['npx biome check', 'Checked 12 files in 3ms. No fixes applied.'],
    ['npx oxlint', 'Found 0 warnings and 0 errors.'],
    ['ruff check', 'All checks passed!'],
    ['mypy src', 'Success: no issues found in 3 source files'],
    ['pyright', '0 errors, 2 warnings, 0 informations'],
    ['rubocop', '3 files inspected, no offenses detected'],
    ['golangci-lint run', '0 issues.'],
    ['npm run build', '> mill@1.0.0 build\n> vite build\n\n✓ built in 2.31s'],
    [
      'npm run check',
      '> mill@1.0.0 check\n> npm run lint && npm test\n\n> eslint .\n> vitest run\n Tests  3 passed (3)',
    ],
  ];
  test.each(passes)('%s passes: %j', (command, output) => {
    expect(ended(`${command} 2>&1 | tail -20`, output === '' ? [] : output.split('\n'))).toBe('passed');
  });

  const fails: [string, string][] = [
    ['npx vitest run', ' Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 39 passed (40)'],
    ['npx jest', 'Tests:       1 failed, 40 passed, 41 total'],
    ['npx mocha', '  12 passing (30ms)\n  2 failing'],
    ['npx ava', '  1 test failed'],
    ['node --test', 'ℹ pass 3\nℹ fail 1'],
    ['deno test', 'FAILED | 2 passed | 1 failed (5ms)'],
    ['npx playwright test', '  1 failed\n    [chromium] › a.spec.ts\n  11 passed (3.1s)'],
    ['npx cypress run', '  ✖  1 of 3 failed (33%)                        00:03       12       11        1'],
    ['pytest -q', '1 failed, 2 passed in 2.31s'],
    ['pytest', '!!!!!!!! Interrupted: 1 error during collection !!!!!!!!\n1 error in 0.51s'],
    ['python -m unittest', 'Ran 3 tests in 0.001s\n\nFAILED (failures=1, errors=2)'],
    ['cargo test', 'test result: FAILED. 2 passed; 1 failed; 0 ignored'],
    ['cargo build', 'error: could not compile `mill` (bin "mill") due to 1 previous error'],
    ['cargo nextest run', '     Summary [   0.102s] 10 tests run: 9 passed, 1 failed, 0 skipped'],
    ['go test ./...', 'ok  \texample.test/a\t0.1s\nFAIL\texample.test/lib\t0.398s\nFAIL'],
    ['gotestsum', 'DONE 12 tests, 1 failure in 0.301s'],
    ['./gradlew test', '3 tests completed, 1 failed\n\nBUILD FAILED in 3s'],
    ['mvn verify', '[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE'],
    [
      'dotnet test',
      'Failed!  - Failed:     1, Passed:    11, Skipped:     0, Total:    12, Duration: 9 ms - a.dll',
    ],
    ['dotnet build', 'a.cs(1,2): error CS0103: The name does not exist\n\nBuild FAILED.'],
    ['bundle exec rspec', '12 examples, 1 failure'],
    ['rake test', '12 runs, 30 assertions, 1 failures, 0 errors, 0 skips'],
    ['vendor/bin/phpunit', 'FAILURES!\nTests: 12, Assertions: 30, Failures: 1.'],
    ['ctest', '67% tests passed, 1 tests failed out of 3'],
    ['swift test', 'Executed 3 tests, with 1 failure (0 unexpected) in 0.1 (0.2) seconds'],
    ['mix test', '12 tests, 1 failure'],
    ['npx tsc --noEmit', "src/a.ts(3,7): error TS2304: Cannot find name 'rye'."],
    ['npx eslint .', '✖ 3 problems (1 error, 2 warnings)'],
    ['npx biome check', 'Checked 12 files in 3ms. No fixes applied.\nFound 2 errors.'],
    ['npx oxlint', 'Found 1 warning and 3 errors.'],
    ['ruff check', 'Found 3 errors.'],
    ['mypy src', 'Found 2 errors in 1 file (checked 3 source files)'],
    ['pyright', '3 errors, 0 warnings, 0 informations'],
    ['rubocop', '3 files inspected, 2 offenses detected'],
    ['mise run lint', '[lint:go] 3 issues:\n[lint:go] ERROR task failed'],
    ['npm run build', 'error during build:\nRollupError: x'],
    ['make', 'cc -c a.c\nmake: *** [Makefile:3: a.o] Error 1'],
    ['npm run check', '> eslint .\n> vitest run\n Tests  1 failed | 2 passed (3)'],
  ];
  test.each(fails)('%s fails: %j', (command, output) => {
    expect(ended(`${command} 2>&1 | tail -20`, output.split('\n'))).toBe('failed');
  });

  test.each(['npm test', 'cargo build', 'npm run build', 'make', 'pytest', './gradlew build'])(
    '%s of which nothing is told has an unknown end',
    (command) => {
      expect(ended(`${command} 2>&1 | tail -3`, ['compiling', 'linking', 'writing out/mill'])).toBe(
        'unknown',
      );
      expect(ended(`${command} 2>&1 | tail -3`, [])).toBe('unknown');
      expect(ended(`${command} || true`, ['compiling'])).toBe('unknown');
    },
  );
});

describe('the end of a check in a script', () => {
  const bad = ['1 failed, 2 passed in 2.31s'];
  test.each<[string, readonly string[], number, string]>([
    ['set -o pipefail; pytest 2>&1 | tail -3', ['x'], 0, 'passed'],
    ['set -o pipefail; pytest 2>&1 | tail -3', ['x'], 1, 'failed'],
    ['rg pipefail ci.sh; pytest | tail -1', bad, 0, 'failed'],
    ['pytest > log 2>&1; echo "exit: $?"', ['exit: 1'], 0, 'failed'],
    ['pytest > log 2>&1; echo "exit: $?"; tail -1 log', ['exit: 0', 'x'], 0, 'passed'],
    ['pytest | tail -1; echo "exit: $?"', ['x', 'exit: 0'], 0, 'unknown'],
    ['pytest | tail -1; echo ${PIPESTATUS[0]}', ['x', '2'], 0, 'failed'],
    ['pytest | tail -1; rc=${PIPESTATUS[0]}; echo "rc=$rc"', ['x', 'rc=0'], 0, 'passed'],
    ['pytest > log 2>&1 && echo GREEN || echo RED', ['RED'], 0, 'failed'],
    ['pytest > log 2>&1 && echo GREEN || echo RED', ['GREEN'], 0, 'passed'],
    ['if pytest; then echo fine; else echo broken; fi', ['broken'], 0, 'failed'],
    ['pytest | grep cart || echo "No errors found"', ['No errors found'], 0, 'unknown'],
    ['pytest; true', bad, 0, 'failed'],
    ['pytest || echo oops', bad, 0, 'failed'],
    ['! pytest', [], 0, 'unknown'],
    ['if ! pytest; then echo red; fi', ['red'], 0, 'unknown'],
    ['if ! pytest; then echo red; fi', bad, 0, 'failed'],
    ["bash <<'EOF'\npytest | tail -1\nEOF", bad, 0, 'failed'],
    ['setsid -f pytest > log 2>&1', [], 0, 'started'],
    ['flutter test | tail -1', ['00:05 +11 -1: Some tests failed.'], 0, 'failed'],
    ['pytest && git push', ['x'], 0, 'passed'],
    ['pytest; git push', ['x'], 0, 'unknown'],
    ['timeout 60 pytest', ['x'], 124, 'unknown'],
    ['pytest &', [], 0, 'started'],
    ['nohup pytest > log 2>&1 &', [], 0, 'started'],
    ['pytest > log & wait $!; tail -1 log', bad, 0, 'failed'],
    ['bash -lc "pytest | tail -1"', bad, 0, 'failed'],
    ['docker compose exec -T web pytest | tail -1', bad, 0, 'failed'],
    ['xvfb-run -a pytest | tail -1', bad, 0, 'failed'],
    ['time -p timeout -k 5 60 env CI=1 nice -n 10 pytest | tail -1', bad, 0, 'failed'],
    ['go test ./... | tail -1 && pytest | tail -1', ['go: command not found', '3 passed in 0.1s'], 0, 'none'],
  ])('%s that prints %j and ends with %i: %s', (command, lines, code, verdict) => {
    expect(ended(command, lines, code)).toBe(verdict);
  });

  test('Codex does not say it in its hook, so the output counts more than a silent exit status', () => {
    const call = (output: string) => readCall({ ...codexCall, output });
    expect(checked(call('1 failed, 2 passed in 2.31s'))).toBe('failed');
    expect(checked(call('3 passed in 2.31s'))).toBe('passed');
  });
});
