import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCommand } from './command.ts';

const programs = (command: string): readonly string[] => readCommand(command).programs;

describe('the programs of a command', () => {
  test.each([
    ['cd /a/b && rtk npm run test -- --watch=false 2>&1 | tail -5', ['npm run test']],
    ['CI=1 timeout 60 npx vitest run src/mill', ['vitest']],
    [
      'git -C /a add x.ts && git commit -m "$(cat <<\'EOF\'\nrm -rf; echo\nEOF\n)"',
      ['git add', 'git commit'],
    ],
    ['go test -tags=a ./mill/... -run "TestA|TestB"', ['go test']],
    ['sed -n 1,3p a | cat -A', ['sed']],
    ['bash scripts/mill.sh --fast', ['bash mill.sh']],
    ['gh api repos/a/b/pulls/12/comments -f body="x"', ['gh write @repos/a/b/pulls/#/comments']],
    ['pr=$(gh pr view -q .number) && echo "$pr"', ['gh pr']],
    ['for f in *.go; do gofmt -l $f | wc -l; done', ['gofmt']],
    ['git log | while read pr; do gh pr view $pr; done', ['git log', 'gh pr']],
    ['echo a; export B=1', []],
  ])('%j are %j', (command, expected) => {
    expect(programs(command)).toEqual(expected);
  });

  test('are read from any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => programs(text).length >= 0),
    );
  });
});

describe('the name of a check', () => {
  test.each([
    ['dotnet test mill.sln -c Release --nologo -v q', 'dotnet test mill.sln -c Release'],
    ['dotnet build --verbosity minimal mill.sln', 'dotnet build mill.sln'],
    ['dotnet test -v:n a.csproj', 'dotnet test a.csproj'],
    ['pytest --tb short --durations 5 mills', 'pytest mills'],
    ['cargo test --color always -v gate', 'cargo test gate'],
    ['go test -v ./mill', 'go test ./mill'],
    ['npx vitest run --reporter dot src/mill', 'vitest run src/mill'],
    ['go test ./mill -timeout 20s -count=5', 'go test ./mill'],
    ['go test -timeout=2m -count 1 ./mill', 'go test ./mill'],
    ['dotnet test a.csproj --no-build --no-restore', 'dotnet test a.csproj'],
    ['mix dialyzer --format short', 'mix dialyzer'],
    ['Invoke-Pester -Path mill -CI -Output Minimal', 'Invoke-Pester -Path mill'],
  ])('of %j is %j', (command, name) => {
    expect(readCommand(command).steps.map((step) => step.name)).toEqual([name]);
  });
});
