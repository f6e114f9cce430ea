import { expect, it } from 'vitest';
import { AccountFold } from './fold.ts';

function commitsOf(command: string, stdout: string): readonly unknown[] {
  const fold = new AccountFold();
  const ts = '2026-01-01T00:00:00.000Z';
  const payloadJson = JSON.stringify({
    ...{ tool: 'Bash', input: { command }, output: { stdout, stderr: '', exitCode: 0 }, isError: false },
    ...{ sessionId: 's', toolUseId: 'u', ts, client: 'claude-code', cwd: '/p' },
  });
  fold.take({ seq: 1, ts, payloadJson });
  return fold.account().commits.map(({ hash, text, files }) => [hash, text, files]);
}

const first = '[main 1111111] Mill: it grinds\n 1 file changed, 1 insertion(+)';
const second = '[main 2222222] Flour: it is sold\n 2 files changed, 3 insertions(+)';
const both = [
  ['1111111', 'Mill: it grinds', 1],
  ['2222222', 'Flour: it is sold', 2],
];

it.each([
  ['two', 'git commit -m "Mill: it grinds" && git add b && git commit -m "Flour: it is sold"', both],
  ['a loop', 'for one in mill flour; do git commit -m "$one" $one; done', both],
  [
    'here-strings',
    "git commit -m @'\nMill: it grinds\n\nBody\n'@\ngit commit -m @'\nFlour: it is sold\n'@",
    both,
  ],
])('%s of one command are as many, each with its hash and files', (_, command, made) => {
  expect(commitsOf(command, `${first}\n${second}`)).toEqual(made);
});

it('of two, the one that found something to commit is one', () => {
  const command = 'git commit -m "Mill: it grinds"; git commit -m "Flour: it is sold"';
  expect(commitsOf(command, `nothing to commit, working tree clean\n${second}`)).toEqual([both[1]]);
});

it('two of one subject are two, unless the second amends', () => {
  const again = first.replace('1111111', '3333333');
  const two = 'git commit -m "Mill: it grinds"; touch b; git add b; git commit';
  expect(commitsOf(`${two} -m "Mill: it grinds"`, `${first}\n${again}`)).toHaveLength(2);
  expect(commitsOf(`${two} --amend --no-edit`, `${first}\n${again}`)).toEqual([
    ['3333333', 'Mill: it grinds', 1],
  ]);
});

it('one that amends replaces the one before also where the command makes several', () => {
  const command =
    'git commit -m "Mill" && git commit --amend -m "Mill: it grinds" && git commit -m "Flour: it is sold"';
  const amended = first.replace('\n', '\n Date: Thu Jan 1 12:00:00 2026 +0000\n');
  expect(commitsOf(command, `[main 3333333] Mill\n 1 file changed\n${amended}\n${second}`)).toEqual(both);
});

it('quiet ones have no hash', () => {
  const command = 'git commit -qm "Mill: it grinds" && git commit -qm "Flour: it is sold"';
  expect(commitsOf(command, '')).toEqual([
    [null, 'Mill: it grinds', null],
    [null, 'Flour: it is sold', null],
  ]);
});

it('a quiet one next to one that is printed', () => {
  const command = 'git commit -qm "Mill: it grinds" && git commit -m "Flour: it is sold"';
  expect(commitsOf(command, second)).toEqual([[null, 'Mill: it grinds', null], both[1]]);
});

it.each([
  ['git cherry-pick 1234567', first, [both[0]]],
  ['git revert --no-edit 1234567', first, [both[0]]],
  [
    "git merge --no-ff mill -m @'\nMill: it grinds\n\nBody\n'@",
    "Merge made by the 'ort' strategy.",
    [[null, 'Mill: it grinds', null]],
  ],
  ['cat notes.txt', first, []],
  ['cat docs/git-commit.md', first, []],
  ['git log --grep=commit', first, []],
])('%s', (command, printed, made) => {
  expect(commitsOf(command, printed)).toEqual(made);
});

it('a message in a variable is what the log behind it says', () => {
  const command =
    '$msg = @"\nfix(mill): grind rye\n"@\ngit commit -q -m $msg\ngit --no-pager log --oneline -1';
  const printed = 'M  mill.ts\n1234567 fix(mill): grind rye\n1234567890123456789012345678901234567890';
  expect(commitsOf(command, printed)).toEqual([['1234567', 'fix(mill): grind rye', null]]);
});
