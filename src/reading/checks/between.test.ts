import { describe, expect, test } from 'vitest';
import { endedCommand } from '../../../test/support/calls/sample.ts';
import { checked, commandRun } from './run.ts';

describe('several checks between the lines that a script prints', () => {
  const each = (...of: Parameters<typeof endedCommand>) =>
    commandRun(endedCommand(...of)).checks.map(({ name, verdict }) => `${name}: ${verdict}`);
  const command =
    'echo "== vet"; go vet ./... 2>&1 | tail -5; echo "== test"; go test ./... 2>&1; cat main.go';

  test('have each its own end', () => {
    expect(each(command, ['== vet', '== test', 'ok  mill/wheel 0.2s', 'main()'])).toEqual([
      'go vet ./... && go test ./...: passed',
      'go vet ./...: passed',
      'go test ./...: passed',
    ]);
    expect(each(command, ['== vet', 'a.go:3:1: no rope', '== test', 'ok  mill/wheel 0.2s'])).toEqual([
      'go vet ./... && go test ./...: failed',
      'go vet ./...: failed',
      'go test ./...: passed',
    ]);
    expect(each(command, ['== vet', '== test', '--- FAIL: TestWheel', 'FAIL'], 1)).toContain(
      'go test ./...: failed',
    );
  });

  test('so has the only one', () => {
    const one = 'echo "== vet"; go vet ./... 2>&1 | tail -5; echo "== main"; cat main.go; head -3 go.mod';
    expect(each(one, ['== vet', '== main', 'main()', 'module mill'])).toEqual(['go vet ./...: passed']);
    expect(each(one, ['== vet', 'a.go:3:1: no rope', '== main'])).toEqual(['go vet ./...: failed']);
  });

  test('a text of PowerShell prints itself', () => {
    const two = '"== 1 =="; npm test | Select-String x; "exit=$LASTEXITCODE"';
    expect(each(two, ['== 1 ==', 'exit=0'])).toEqual(['npm test: passed']);
    expect(each(two, ['== 1 ==', 'exit=1'])).toEqual(['npm test: failed']);
  });

  test.each(['> out.txt', '2> /dev/null', '&> out.txt', '>> out.txt', '| sort > out.txt'])(
    'have none where it goes %s',
    (where) =>
      expect(
        each(`echo A; npx tsc --noEmit ${where}; echo B; npm run lint; echo C`, ['A', 'B', 'C']),
      ).toContain('tsc --noEmit: none'),
  );

  test.each(['vet: ./a.go:3:2: undefined: rope', 'bash: go: command not found', 'cd: mill: No such folder'])(
    'have none where a complaint stands behind all lines: %s',
    (said) =>
      expect(
        each('echo A; go vet ./...; echo B; go test ./...; echo C', [
          ...['A', 'B', 'ok  mill/wheel 0.2s', 'C', said],
        ]),
      ).toContain('go vet ./...: none'),
  );

  test('have none where a line is missing, or stands twice', () => {
    const only = 'go vet ./... && go test ./...: unknown';
    expect(each(command, ['== vet', 'main()'])[0]).toBe(only);
    expect(each(command, ['== vet', '== test', '== test', 'main()'])[0]).toBe(only);
  });
});

test.each([
  ['npm test > out.txt; rc=$?; rm -f out.txt; exit $rc', 'passed'],
  [
    'set -o pipefail; npm run prepare && npm test | tee out.txt; status=$?; rm out.txt; exit "$status"',
    'passed',
  ],
  ['npm test > out.txt; rm -f out.txt; exit $?', 'unknown'],
  ['npm test > out.txt; rc=$?; exit 0', 'unknown'],
  ['npm test > out.txt; rc=$?; rc=0; exit $rc', 'unknown'],
  ['npm test > out.txt; rc=$?; node mill.js; rc=$?; exit $rc', 'unknown'],
  ['npm test > out.txt; rc=$?; [ $rc -gt 1 ] && exit $rc; echo on', 'unknown'],
  ['(npm test > out.txt; exit $?); echo on', 'unknown'],
  // What is wrong is in the file.
  ['tsc --noEmit > out.txt; echo on', 'unknown'],
])('a status that the script passes on is that of the check: %s', (command, verdict) =>
  expect(checked(endedCommand(command, ['1 rope']))).toBe(verdict),
);
