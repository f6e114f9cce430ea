import { describe, expect, it } from 'vitest';
import type { Json } from '#core/event';
import { runSubjects as run, subjectLines } from '../../../test/support/calls/sample.ts';

const failed = { isError: true };

describe('checks', () => {
  it.each([
    ['npm test'],
    ['cd /home/dev/shop && npm run test 2>&1 | tail -20'],
    ['CI=1 npm test -- --reporter verbose'],
    ['cd web; timeout 60 npm test --silent > /dev/null'],
    ['(cd web && npm test)'],
  ])('%s is npm test', (command) => {
    expect(run(command, 'Tests 4 passed')).toContain('check npm test = passed');
  });

  it.each([
    ['npx vitest run src/a.test.ts', 'vitest run src/a.test.ts'],
    ['pnpm exec tsc --noEmit --pretty false', 'tsc --noEmit'],
    ['python3 -m pytest -q tests/', 'python3 -m pytest tests/'],
    ['go test -v ./... 2>&1 | grep -v "no test files"', 'go test ./...'],
    ['mise run lint', 'mise run lint'],
    ['./gradlew :core:check', './gradlew :core:check'],
    ['cargo clippy --all -- -D warnings', 'cargo clippy --all -- -D warnings'],
    ['make', 'make'],
    ['bash scripts/run-tests.sh', 'bash scripts/run-tests.sh'],
  ])('%s', (command, name) => {
    expect(run(command, 'ok  \tshop 0.1s').map((line) => line.replace(/ = .*/, ''))).toEqual([
      `check ${name}`,
    ]);
  });

  it.each([
    ['node server.js'],
    ['git checkout main'],
    ['npm install'],
    ['go mod tidy'],
    ['make deploy'],
    ['eslint --version'],
    ['cat build/a.txt'],
  ])('%s is none', (command) => {
    expect(run(command).filter((line) => line.startsWith('check'))).toEqual([]);
  });

  it('fail by exit status, and name the failing tests', () => {
    const vitest =
      'Exit code 1\n ✓ src/b.test.ts (3 tests) 12ms\n FAIL  src/cart.test.ts > adds a line twice\nAssertionError: expected 3 to be 2\nTests  1 failed | 40 passed (41)\n';
    expect(run('npx vitest run', vitest, failed)).toEqual([
      'check vitest run = failed',
      'check test:src/cart.test.ts > adds a line twice = failed',
      'check test:src/b.test.ts = passed',
    ]);
  });

  it.each([
    [
      'go test -v ./...',
      '--- FAIL: TestTotal (0.01s)\n--- PASS: TestTax (0.00s)',
      ['TestTotal = failed', 'TestTax = passed'],
    ],
    ['pytest', 'FAILED tests/a.py::test_b - assert 1 == 2', ['tests/a.py::test_b = failed']],
    [
      'cargo test',
      'test cart::adds ... FAILED\ntest cart::sums ... ok',
      ['cart::adds = failed', 'cart::sums = passed'],
    ],
    [
      'node --test',
      'not ok 2 - adds twice # SKIP\nok 3 - sums up',
      ['adds twice = failed', 'sums up = passed'],
    ],
    ['bun test', '(fail) cart > adds twice [0.51ms]', ['cart > adds twice = failed']],
    ['jest', '  ● Cart › adds twice\n  ✓ sums up (3 ms)', ['Cart › adds twice = failed', 'sums up = passed']],
  ])('%s', (command, output, tests) => {
    expect(run(command, output, failed).slice(1)).toEqual(tests.map((line) => `check test:${line}`));
  });

  it.each<[string, Json, string]>([
    ['npm test | tail -3', 'Tests  2 failed | 1 passed', 'failed'],
    ['npm test | tail -3', 'Tests  3 passed, 0 failed', 'passed'],
    ['npm test || true', 'FAIL src/a.test.ts', 'failed'],
    ['npm test; echo "exit $?"', 'exit 2', 'failed'],
    ['npm test | grep cart', 'cart', 'none'],
    ['npm test', 'Command running in background with ID: 7', 'none'],
    ['npm test', { exitCode: 3, output: '' }, 'failed'],
    ['git add -A && npm test', 'Tests 1 failed', 'passed'],
  ])('%s that prints %j', (command, output, outcome) => {
    expect(run(command, output)).toContain(`check npm test = ${outcome}`);
  });

  it('of several checks that fail together nobody knows which', () => {
    expect(run('npm run lint && npm test', 'boo', failed)).toEqual([
      'check npm run lint && npm test = failed',
      'check npm run lint = none',
      'check npm test = none',
    ]);
    expect(run('npm run lint && npm test', '')).toEqual([
      'check npm run lint && npm test = passed',
      'check npm run lint = passed',
      'check npm test = passed',
    ]);
  });

  it('may have words that objects know', () => {
    expect(run('rg constructor src; node mill.js toString', 'x')).toContain(
      'command node mill.js toString = passed',
    );
  });

  it.each([
    ["tmux new-session -d -s t 'npm start'"],
    ['screen -dmS t npm start'],
    ['systemd-run --user npm start'],
    ['docker run --rm -d --name web app'],
  ])('that only start another have no end: %s', (command) => {
    expect(run(command, '')).toEqual([`command ${command} = none`]);
  });

  it.each([['tmux new -s dev'], ['docker run --rm app npm start -d'], ['systemd-run --wait npm start']])(
    '%s ends with what it runs',
    (command) => expect(run(command, '')).toEqual([`command ${command} = passed`]),
  );

  it.each([
    ['unlink probe.py'],
    ['pwsh -c "Remove-Item -Force probe.py"'],
    [`python3 -c "import os; os.remove('probe.py')"`],
    [`node -e "require('fs').unlinkSync('probe.py')"`],
    ["python3 - <<'EOF'\nimport os\nf = 'probe.py'\nos.unlink(f)\nEOF"],
  ])('%s removes a file', (command) => expect(run(command, '')).toContain('file probe.py = removed'));

  it.each([[`node -e "cache.rm('probe')"`], [`pwsh -c "Remove-Item -Recurse probe -ErrorAction Ignore"`]])(
    '%s removes no file of that name',
    (command) => expect(run(command, '').join()).not.toContain('= removed'),
  );

  it('are the same in other clients', () => {
    expect(
      subjectLines(
        'shell',
        { command: ['bash', '-lc', 'cargo build'] },
        'Exit code: 101\nOutput:\nerror: no',
      ),
    ).toEqual(['check cargo build = failed']);
    expect(
      subjectLines(
        'run_shell_command',
        { command: 'make lint' },
        { llmContent: 'Output: bad\nExit Code: 2', returnDisplay: '' },
      ),
    ).toEqual(['check make lint = failed']);
    expect(subjectLines('bash', { command: 'make lint' }, { output: 'done', metadata: { exit: 0 } })).toEqual(
      ['check make lint = passed'],
    );
  });
});
