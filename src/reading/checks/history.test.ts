import { expect, it } from 'vitest';
import { readCall } from '#reading/call';
import { CheckHistory } from './history.ts';

function book(...runs: readonly (readonly [string, 'ok' | 'bad'])[]): CheckHistory<string> {
  const checks = new CheckHistory<string>();
  for (const [name, end] of runs) checks.ended(name, end === 'ok', () => `${name} broke`);
  return checks;
}

const failed = (checks: CheckHistory<string>) =>
  checks.failed().map(({ name, fixed, failures }) => [name, fixed, failures]);

it('lists each failed check with its failures and whether it passed since, the open ones first', () => {
  const checks = book(
    ['make lint', 'bad'],
    ['make lint', 'ok'],
    ['npm test', 'ok'],
    ['npm test', 'bad'],
    ['npm test', 'bad'],
  );
  expect(failed(checks)).toEqual([
    ['npm test', false, 2],
    ['make lint', true, 1],
  ]);
  expect(checks.failed()[0]?.failed).toBe('npm test broke');
  expect(checks.all().find(({ name }) => name === 'npm test')?.passedLast).toBe(false);
  expect(checks.allPass()).toBe(false);
});

it('counts a later pass of a larger run, or of its parts, as fixed', () => {
  expect(failed(book(['go test ./mill', 'bad'], ['go test ./...', 'ok']))).toEqual([
    ['go test ./mill', true, 1],
  ]);
  expect(failed(book(['make lint && npm test', 'bad'], ['make lint', 'ok'], ['npm test', 'ok']))).toEqual([
    ['make lint && npm test', true, 1],
  ]);
  for (const [part, whole] of [
    ["npx vitest run mill -t 'turns and stops'", 'npx vitest run mill'],
    ['pytest tests/mill -k "rye or wheat"', 'pytest tests'],
    ["Invoke-Pester -Path ./mill -FullNameFilter '*OLD WHEEL*'", 'Invoke-Pester -Path ./gate, ./mill'],
  ] as const)
    expect(failed(book([part, 'bad'], [whole, 'ok']))).toEqual([[part, true, 1]]);
  expect(failed(book(['bun run lint:fix', 'bad'], ['bun run lint', 'ok']))).toEqual([
    ['bun run lint:fix', true, 1],
  ]);
  expect(failed(book(['make lint && npm test', 'bad'], ['make lint', 'ok']))).toEqual([
    ['make lint && npm test', false, 1],
  ]);
});

it('counts a run with more options, or with fixes, as the same check', () => {
  const runs = [
    ['go test ./mill -run Rye', 'go test ./mill'],
    ['bun run lint:fix', 'bun run lint'],
  ] as const;
  for (const [bad, ok] of runs) expect(failed(book([bad, 'bad'], [ok, 'ok']))).toEqual([[bad, true, 1]]);
});

it('knows the folder or package for which a check ran, wherever its command says so', () => {
  for (const [bad, ok, isFixed] of [
    ['npm --prefix mill test', 'npm test --prefix mill', true],
    ['npm --prefix mill test', 'npm test', true],
    ['npm test', 'pnpm -C mill test', false],
    ['make lint', 'make -C mill lint', false],
    ['go -C mill test ./...', 'go test ./...', true],
    ['go -C mill test ./...', 'go -C gate test ./...', false],
    ['yarn workspace mill test', 'npm test -w mill', true],
    ['yarn workspace mill test', 'yarn workspace gate test', false],
    ['npm test', 'npm test --workspace=mill', false],
    ['npm test', 'npm --prefix ./ test', true],
    ['npm test', 'npm --prefix /p test', true],
    ['make -C mill/ lint', 'make -C mill lint', true],
    ['pnpm test', 'pnpm -w test', true],
  ] as const)
    expect(failed(book([bad, 'bad'], [ok, 'ok'])), `${bad}; ${ok}`).toEqual([[bad, isFixed, 1]]);
});

it('takes what a script or another program is given for no folder or package', () => {
  for (const [bad, ok] of [
    ['npm test', 'npm test -- -w 4'],
    ['npm test', 'npm test -- --cwd src'],
    ['jest', 'jest -w 4'],
    ['ctest', 'ctest -C Release'],
  ] as const)
    expect(failed(book([bad, 'bad'], [ok, 'ok'])), `${bad}; ${ok}`).toEqual([[bad, true, 1]]);
});

it('names the folder of a check once, in its command or next to it', () => {
  const how = book(['npm --prefix mill test', 'ok']).howTo();
  expect(how.map(({ name, place }) => [name, place])).toEqual([['npm --prefix mill test', '']]);
});

it('is not fixed by a suite that need not run what needs a browser or a server', () => {
  for (const [bad, ok, isFixed] of [
    ['playwright test', 'npm test', false],
    ['npm run e2e', 'npm test', false],
    ['vitest run --project e2e', 'npm test', false],
    ['vitest run --project e2e', 'vitest run', true],
    ['playwright test gate.spec.ts', 'npm run test:e2e', true],
    ['cargo test --test integration', 'cargo test', true],
    ['vitest run -t "integer overflow"', 'npm test', true],
    ['go test -run TestDeliver ./...', 'make test', true],
    ['jest --testPathPattern=src/delivery', 'npm test', true],
  ] as const)
    expect(failed(book([bad, 'bad'], [ok, 'ok'])), `${bad}; ${ok}`).toEqual([[bad, isFixed, 1]]);
});

it('does not count as fixed what passed before, on other files, or as another script', () => {
  const runs = [
    ['go test ./mill', 'go test ./wheel'],
    ['npm test', 'npm test rye'],
    ['bun run lint', 'bun run test'],
  ] as const;
  for (const [bad, ok] of runs) expect(failed(book([bad, 'bad'], [ok, 'ok']))).toEqual([[bad, false, 1]]);
  expect(failed(book(['npm test', 'ok'], ['npm test', 'bad']))).toEqual([['npm test', false, 1]]);
});

it('closes a failure when the tests that it named have passed elsewhere, or are removed', () => {
  const named = () => {
    const checks = book();
    checks.ended('npm test', false, () => '', {
      tests: ['src/a.test.ts > grinds rye', 'src/b.test.ts > turns'],
    });
    return checks;
  };
  const removed = named();
  removed.removed('src/a.test.ts');
  expect(removed.open()).toHaveLength(1);
  removed.rewrote("it('turns', () => {", '');
  expect(removed.open()).toEqual([]);
  const kept = named();
  kept.rewrote("it('turns', () => {", "it('turns', async () => {");
  expect(kept.open()).toHaveLength(1);
});

const bash = (command: string, output: string, isError = false) =>
  readCall({
    ...{ tool: 'Bash', input: { command }, output, cwd: '/p', isError, client: 'c', sessionId: 's' },
    ...{ toolUseId: null, ts: '2026-01-01T00:00:00.000Z' },
  });

function seen(...calls: readonly (readonly [string, string, boolean?])[]): CheckHistory<string> {
  const history = new CheckHistory<string>();
  for (const [command, output, isError] of calls)
    history.take(bash(command, output, isError), '/p', () => command);
  return history;
}

it.each([
  ['npm test', 'pnpm run test'],
  ['npx vitest run src/a.test.ts', 'npm test'],
  ['go test ./mill -run TestRye', 'mise run test'],
  ['cd web && npm test', 'cd web && npm test'],
  ['npx tsc --noEmit', 'npm run typecheck'],
  ['npx vitest run src/mill/a.test.ts', 'npx vitest run src/mill'],
])('%j is closed by %j', (bad, good) => {
  expect(seen([bad, 'Exit code 1\n1 failed', true], [good, 'all is well']).open()).toEqual([]);
});

it.each([
  ['npm test', 'npx vitest run src/b.test.ts'],
  ['npm test', 'npm run lint'],
  ['npm test', 'cd web && npm test'],
  ['npm run test:e2e', 'npm test'],
  ['go test ./...', 'npm test -- wheel'],
  ['npx eslint src/a.ts', 'npx prettier --check .'],
])('%j is not closed by %j', (bad, good) => {
  expect(seen([bad, 'Exit code 1\n1 failed', true], [good, 'all is well']).open()).toHaveLength(1);
});

it('of piped checks that both failed blames not the tests alone', () => {
  const command = 'npx eslint src 2>&1 | tail; npx vitest run 2>&1 | tail';
  const tests = '\n Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)';
  const blamed = (lint: string) =>
    seen([command, `${lint}${tests}`])
      .open()
      .map(({ name }) => name);
  expect(blamed('/p/a.ts\n  1:2  error  x is not defined\n\n✖ 1 problem (1 error, 0 warnings)\n')).toEqual([
    'eslint src && vitest run',
  ]);
  expect(blamed('')).toEqual(['vitest run']);
});

it('takes no search for failures and no obstacle for a failed check', () => {
  const history = seen(
    ['grep -rn fail src', '', true],
    ['npm test 2>&1 | grep -i fail', '', true],
    ['cat build.log', 'npm test: 3 failed', true],
    ['bun test', 'Exit code 127\nbash: line 1: bun: command not found', true],
    ['npm run tset', 'npm error Missing script: "tset"', true],
  );
  expect(history.open()).toEqual([]);
  expect(history.obstacles().map(({ missing }) => missing)).toEqual(['tset', 'bun']);
  history.take(bash('bun test', '3 pass\n0 fail'), '/p', () => '');
  expect(history.obstacles().map(({ missing }) => missing)).toEqual(['tset']);
});

it('knows how the project is checked: the widest of each kind that passed last', () => {
  const history = seen(
    ['npm test', 'ok'],
    ['npx vitest run src/a.test.ts', 'ok'],
    ['npm run build', 'ok'],
    ['npm run lint', 'Exit code 1\n3 errors', true],
  );
  expect(history.howTo().map(({ name }) => name)).toEqual(['npm run build', 'npm test']);
});

it('tells the check, not what repairs its findings', () => {
  const history = seen(['npm run lint', 'ok'], ['npm run lint:fix', 'ok']);
  expect(history.howTo().map(({ name }) => name)).toEqual(['npm run lint']);
});

it.each([
  ['pytest tests/', true],
  ['dotnet test tests/Mill.Tests/Mill.Tests.csproj -c Release', true],
  ['pytest tests/test_mill.py', false],
  ['pytest -k grinds tests', false],
])('%s is how its tests are run, if it names what a project has one of', (command, isShown) => {
  const found = seen([command, '5 passed in 0.1s\nPassed!  - Failed: 0, Passed: 5']).howTo();
  expect(found.map((one) => one.name)).toEqual(isShown ? [command] : []);
});

it('a commit that exists has passed its hook, also when a wrapper hides what the hook printed', () => {
  const run = (command: string, output: string, isError = false) =>
    readCall({
      ...{ tool: 'Bash', input: { command }, output: isError ? `Exit code 1\n${output}` : output, isError },
      ...{ sessionId: 's', toolUseId: 'u', ts: '2026-01-01T00:00:00Z', client: 'claude-code', cwd: '/p' },
    });
  const checks = new CheckHistory<string>();
  const take = (...of: Parameters<typeof run>) => checks.take(run(...of), '/p', () => 'run');
  take('bun run test', '(fail) mill > grinds\n 1 fail', true);
  take('git commit -m "Grind"', '$ bun test src/\n 1 fail\nhusky - pre-commit script failed (code 1)', true);
  take('git commit -n -m "Grind"', '[main 1a2b3c4] Grind');
  const ended = (fixed: boolean) => [
    ['bun test src/', fixed, 1],
    ['bun run test', fixed, 1],
  ];
  expect(failed(checks)).toEqual(ended(false));
  take('rtk git commit -m "Grind"', 'ok ✓');
  expect(failed(checks)).toEqual(ended(true));
  expect(checks.howTo()).toEqual([]);
});

it('a commit for which nothing was staged has passed its hook', () => {
  const checks = new CheckHistory<string>();
  const output = (end: string) => `$ tsc --noEmit\nerror: Item 3 failed\nFAILED: git commit\n${end}`;
  const take = (end: string) =>
    checks.take(
      readCall({
        ...{
          tool: 'Bash',
          input: { command: 'wrap git commit -m "Grind"' },
          output: output(end),
          isError: true,
        },
        ...{ sessionId: 's', toolUseId: null, ts: '', client: 'claude-code', cwd: '/p' },
      }),
      '/p',
      () => 'run',
    );
  take('no changes added to commit (use "git add")');
  expect(checks.all()).toMatchObject([{ name: 'tsc --noEmit', passedLast: true }]);
  take('husky - pre-commit script failed (code 2)\nno changes added to commit');
  expect(checks.all()).toMatchObject([{ passedLast: false }]);
});
