import { expect, it } from 'vitest';
import { accountOf } from '../../../test/support/account/account-of.ts';
import { Calls } from '../../../test/support/account/events.ts';

/** What the page lists, in the order of their names. */
function rows(calls: Calls): readonly string[] {
  const { checks } = accountOf(['user', 'Please make the mill grind rye'], calls);
  const shown = checks.filter(({ isMoot, isNarrow }) => !isMoot && !isNarrow);
  return shown
    .map(
      ({ name, end, isFixed, isStale, runs }) =>
        `${name}: ${end}${isFixed ? ', fixed' : ''}${isStale ? ', stale' : ''}, ${runs}`,
    )
    .sort();
}

const edited = () => new Calls().edit('src/mill.ts', 'grind(wheat);', 'grind(rye);');

it('a part that failed and passed is no row next to the whole that passed', () => {
  const failing = edited().run('npx vitest run src/mill.test.ts', '1 failed | 2 passed', true);
  expect(rows(failing)).toEqual(['vitest run src/mill.test.ts: failed, 1']);
  expect(rows(failing.run('npx vitest run', '3 passed (3)'))).toEqual(['vitest run: passed, 1']);
});

it('what the whole has proven since the last change is not stale', () => {
  const calls = edited().run('go test ./mill', 'ok mill 0.1s').edit('mill/mill.go', 'rye', 'spelt');
  expect(rows(calls)).toEqual(['go test ./mill: passed, stale, 1']);
  expect(rows(calls.run('make test', 'ok mill 0.1s\nPASS')).filter((row) => row.includes('stale'))).toEqual(
    [],
  );
});

it('what git forgets and keeps on the disk is no change', () => {
  const calls = edited()
    .run('npm test', '3 passed')
    .run('git rm --cached media/wheel.svg', "rm 'media/wheel.svg'");
  expect(rows(calls)).toEqual(['npm test: passed, 1']);
});

it.each([
  ['go test ./mill', 'ok mill 0.1s', 'assets/mill.ts'],
  ['vitest run', '3 passed (3)', 'test/mill_test.exs'],
  ['mix compile', 'Generated mill app', 'test/mill_test.exs'],
  ['npm test', '3 passed', 'media/wheel.png'],
  ['npm test', '3 passed', '.gitignore'],
])('%s proves what it did before a change of %s', (command, said, file) => {
  const calls = edited().run(command, said).edit(file, 'rye', 'spelt');
  expect(rows(calls)).toEqual([`${command}: passed, 1`]);
});

it('a change that is taken back makes no check stale', () => {
  const checked = edited().run('npm test', '3 passed').edit('src/mill.ts', 'rye', 'BUG');
  expect(rows(checked.run('git checkout -- src/mill.ts', ''))).toEqual(['npm test: passed, stale, 1']);
  const committed = edited().run('npm test', '3 passed').run('git commit -qam "Grind rye"', '');
  const broken = committed.edit('src/mill.ts', 'rye', 'BUG');
  expect(rows(broken.run('git checkout -- src/mill.ts', ''))).toEqual(['npm test: passed, 1']);
});

it.each(['rm -rf out', 'rm -rf target/'])('%s is no change of code', (command) => {
  expect(rows(edited().run('npm test', '3 passed').run(command, ''))).toEqual(['npm test: passed, 1']);
});

it.each(['go test ./mill -run TestRye', 'go build ./...', 'npm run test'])(
  '%s is no row next to the script for CI that passed with it',
  (command) => {
    const calls = edited().run(command, 'ok mill 0.1s').run('mise run test:ci', 'ok mill 0.1s\nPASS');
    expect(rows(calls)).toEqual(['mise run test:ci: passed, 1']);
  },
);

it('a linter of files that are tests is no test', () => {
  const calls = edited().run('eslint src/mill.test.ts', '').run('npm test', '3 passed');
  expect(rows(calls)).toEqual(['eslint src/mill.test.ts: passed, 1', 'npm test: passed, 1']);
});

it('a project that its solution built since is no row', () => {
  const calls = edited().run('dotnet build src/Mill.csproj', 'Build succeeded.');
  expect(rows(calls.run('dotnet build Mill.sln', 'Build succeeded.'))).toEqual([
    'dotnet build Mill.sln: passed, 1',
  ]);
});

it('a fixer is no row next to its check', () => {
  const calls = edited().run('npm run lint:fix', 'Fixed 1 file.').run('npm run lint', 'Checked 3 files.');
  expect(rows(calls)).toEqual(['npm run lint: passed, 1']);
});

it('a fixer that passed last is no way to run the check', () => {
  const calls = edited().run('npm run lint', 'Checked 3 files.').run('npm run lint:fix', 'Fixed 1 file.');
  const [check] = accountOf(calls).checks;
  expect([check?.name, check?.end, check?.passed?.command]).toEqual([
    'npm run lint',
    'passed',
    'npm run lint',
  ]);
});

it('the runs of a commit hook are runs of the script that calls it', () => {
  const calls = edited()
    .run('bun run test', '1 fail', true)
    .run(
      'git commit -m "Grind rye"',
      '$ bun test src/\n 1 fail\nhusky - pre-commit script failed (code 1)',
      true,
    );
  expect(rows(calls)).toEqual(['bun run test: failed, 2']);
});

it('a hook that ran less does not close what failed', () => {
  const failing = edited().run('npx vitest run', '1 failed | 2 passed', true);
  const said = '$ vitest run src/wheel.test.ts\n 2 passed (2)\n[main 1234567] Grind rye\n 1 file changed';
  expect(rows(failing.run('git commit -m "Grind rye"', said))).toEqual([
    'vitest run src/wheel.test.ts: passed, 1',
    'vitest run: failed, 1',
  ]);
});

it.each(['npm run test:e2e', 'go test -race ./...'])('%s is not closed by a script for CI', (command) => {
  const failing = edited().run(command, '--- FAIL: TestMill\n1 failed | 2 passed', true);
  expect(rows(failing.run('npm run test:ci', '3 passed (3)'))).toContain(`${command}: failed, 1`);
});

it.each([
  ['mvn clean install', 'BUILD SUCCESS'],
  ['pytest tests/test_update.py', '3 passed in 1s'],
  ['go test ./internal/format', 'ok mill 0.1s'],
  ['eslint src/generate', ''],
  ['cargo fmt --check', ''],
])('%s repairs nothing, and is a row', (command, said) => {
  expect(rows(edited().run(command, said))).toEqual([`${command}: passed, 1`]);
});

it('a linter that repairs and passes has closed what it found', () => {
  const failing = edited().run('npx eslint src', '✖ 2 problems (2 errors, 0 warnings)', true);
  expect(rows(failing.run('npx eslint --fix src', ''))).toEqual(['eslint src: passed, 1']);
});

it.each([
  ['zig build test', 'zig build', ''],
  ['cargo test', 'cargo clippy --tests', 'Finished dev profile in 1s'],
  ['cargo test', 'cargo check --tests', 'Finished dev profile in 1s'],
  ['npm test', 'tsc -p tsconfig.test.json', ''],
  ['go build ./...', 'npm test', '3 passed (3)'],
])('%s that failed is not closed by %s', (command, other, said) => {
  const failing = edited().run(command, '--- FAIL: TestMill\n1 failed | 2 passed', true);
  expect(rows(failing.run(other, said))).toContain(`${command}: failed, 1`);
});

it.each([
  ['playwright test', '3 passed (3s)', 'server/main.go'],
  ['vitest run test/e2e', '3 passed (3)', 'server/main.go'],
  ['go test -c ./mill', '', 'mill/mill_test.go'],
])('%s sees a change of another language', (command, said, file) => {
  expect(rows(edited().run(command, said).edit(file, 'rye', 'spelt'))).toEqual([
    `${command}: passed, stale, 1`,
  ]);
});

it('tests of the whole are a row next to the script for CI', () => {
  const calls = edited().run('npx vitest run --project e2e', '3 passed (3)');
  expect(rows(calls.run('npm run test:ci', '3 passed (3)'))).toEqual([
    'npm run test:ci: passed, 1',
    'vitest run --project e2e: passed, 1',
  ]);
});

it.each([
  'git checkout main~3 -- src/mill.ts',
  'git restore --source=main~3 src/mill.ts',
  'git reset --hard HEAD~1',
  'cd /other/mill && git checkout -- .',
  'cd web && git checkout -- .',
  'git checkout -- src/wheel.ts',
])('%s does not take back what was changed since', (command) => {
  const checked = new Calls().run('npm test', '3 passed').edit('src/mill.ts', 'rye', 'BUG');
  expect(rows(checked.run(command, ''))).toEqual(['npm test: passed, stale, 1']);
});

it.each(['git checkout .', 'git reset --hard'])('%s leaves a new file', (command) => {
  const checked = new Calls().run('npm test', '3 passed').write('src/wheel.ts', 'turn();');
  expect(rows(checked.run(command, ''))).toEqual(['npm test: passed, stale, 1']);
});
