import { describe, expect, it } from 'vitest';
import type { ToolEvent } from '#core/event';
import { payloadOf } from '#memory/store';
import { accountOf } from '../../../test/support/account/account-of.ts';
import { Calls } from '../../../test/support/account/events.ts';
import { AccountFold } from './fold.ts';
import { accountText } from './text.ts';

const asked = ['user', 'Please make the mill grind rye without noise'] as const;

describe('the number of changed files', () => {
  const count = (calls: Calls) => {
    const { filesCount, mayBeMore } = accountOf(asked, calls);
    return [filesCount, mayBeMore];
  };
  const one = () => new Calls().edit('a.ts', 'one', 'two');
  const commit = (calls: Calls, files: number, subject = 'Count') =>
    calls.run(`git commit -am "${subject}"`, `[main 1a2b3c4] ${subject}\n ${files} files changed`);

  it('is of all files where only edits changed some, or git counted them', () => {
    expect(count(one().run('npm test', '4 passed').run('git status', ''))).toEqual([1, false]);
    expect(count(commit(one().run('node make-fonts.mjs', ''), 3))).toEqual([3, false]);
  });

  it.each([
    'npx prettier --write .',
    'npm run lint:fix',
    'pnpm install',
    'python3 port.py',
    'mix ash.codegen',
  ])('is the least after %s', (command) => expect(count(one().run(command, 'done'))).toEqual([1, true]));

  it('is the least between two commits of which one has more', () =>
    expect(
      count(commit(commit(one().run('node make-fonts.mjs', ''), 3).edit('b.ts', 'one', 'two'), 1, 'Bake')),
    ).toEqual([3, true]));

  it('does not take in what a commit found there from others', () => {
    expect(count(commit(one(), 4))).toEqual([1, true]);
    expect(count(commit(one().run('npm run lint:fix', ''), 4))).toEqual([1, true]);
    expect(count(commit(one().edit('b.ts', 'one', 'two'), 2))).toEqual([2, false]);
  });

  it('is with those that a command named, where `git add` did so too', () => {
    const paths = (staged: string) => {
      const calls = one()
        .run(`python3 port.py a.ts lib\\b.json; git add ${staged}`, '')
        .run('git commit -m "Port"', '[main 1a2b3c4] Port\n 3 files changed');
      return accountOf(asked, calls).files.map(({ path, edits }) => `${path} ${edits}`);
    };
    expect(paths('a.ts lib/b.json others.md')).toEqual(['a.ts 1', 'lib/b.json 0']);
    expect([paths('.'), paths('lib'), paths('others.md')]).toEqual([['a.ts 1'], ['a.ts 1'], ['a.ts 1']]);
    const calls = new Calls().run('pnpm install --lockfile-only', 'Done in 2s');
    expect(accountText(accountOf(asked, calls))).toContain('pnpm-lock.yaml (1 edit)');
  });

  it('is with those of a linked worktree, wherever it stands', () => {
    const paths = (...said: [string, string]) => {
      const calls = new Calls().run(...said).run('sed -i s/a/b/ /tmp/rye/mill.sh', '');
      return accountOf(asked, calls).files.length;
    };
    expect(paths('git worktree list', '/p  1a2b3c4 [main]\n/tmp/rye  2b3c4d5 [rye]')).toBe(1);
    expect(paths('git worktree add -b rye /tmp/rye', '')).toBe(1);
    expect(paths('git worktree list', '/p  1a2b3c4 [main]')).toBe(0);
    expect(paths('git worktree list', `worktree add ${'-a '.repeat(100)}`)).toBe(0);
  });

  it('is asked of git after an agent worked', () => {
    const account = (type: string) => accountOf(asked, one().agent(type, 'Look for wheels'));
    expect(account('general-purpose')).toMatchObject({ mayBeMore: true, files: [{ isOpen: true }] });
    expect(account('Explore')).toMatchObject({ mayBeMore: false, files: [{ isOpen: true }] });
  });
});

describe('requests', () => {
  it('are not the words with which a call was refused, whenever these are recorded', () => {
    const words = "don't run the slow tests, they take all night";
    const after = accountOf(asked, new Calls().refuse('npm run slow', words), ['user', words]);
    const before = accountOf(asked, ['user', words], new Calls().refuse('npm run slow', words));
    for (const { requests, last } of [after, before])
      expect([requests.map(({ text }) => text), last]).toEqual([[expect.stringContaining('rye')], null]);
    expect(after.decided).toMatchObject([{ by: 'refusal', text: words }]);
  });

  it('are a goal once they say what to do', () => {
    const opening = ['user', 'I opened the mill and the miller has some wishes:'] as const;
    expect(accountOf(opening, ['user', 'Grind the rye twice and sweep the floor']).goal?.text).toMatch(
      /^Grind/,
    );
    expect(accountOf(opening).goal?.text).toMatch(/^I opened/);
  });
});

describe('commits', () => {
  const commits = (command: string, output: string) => {
    const { commits: found, ended } = accountOf(asked, new Calls().run(command, output));
    return [found.map(({ text, hash }) => [text, hash]), ended.isPushed];
  };

  it.each([
    ['git commit -F note.txt', '[main 1a2b3c4] Grind\n 2 files changed', [['Grind', '1a2b3c4']]],
    [
      'git merge --no-ff -m "Merge the wheel" wheel',
      "Merge made by the 'ort' strategy.",
      [['Merge the wheel', null]],
    ],
    [
      'git merge --no-ff wheel -m "Merge the wheel\n\nReviewed by the miller."; git log --oneline -1',
      "Merge made by the 'ort' strategy.\n wheel.ts | 2 +-",
      [['Merge the wheel', null]],
    ],
    ['git commit -F note.txt && git push', '[main 1a2b3c4] Grind', [['Grind', '1a2b3c4']], true],
    [
      'git merge --no-ff wheel -m "Merge the wheel\n\nIt turns."; git log -1',
      "Merge made by the 'ort' strategy.",
      [['Merge the wheel', null]],
    ],
    ['$msg = "Oil"\ngit commit -q -m $msg\ngit log --oneline -1', '1a2b3c4 Oil it', [['Oil it', '1a2b3c4']]],
    ['git log --oneline -1; git commit -q -m "$msg"', '1a2b3c4 Oil it', []],
    ['git merge wheel', 'Updating 1a2b3c4..2b3c4d5\nFast-forward', []],
  ] as const)('are named by %s', (command, output, named, isPushed: boolean = false) => {
    expect(commits(command, output)).toEqual([named, isPushed]);
  });

  it('are not pushed by a call without a result', () => {
    const [event] = new Calls().run('git commit -m Grind && git push', '').events;
    const pushed = (unfinished: boolean) => {
      const fold = new AccountFold();
      const payload = { ...payloadOf(event as ToolEvent), ...(unfinished && { unfinished }) };
      fold.take({ seq: 1, ts: '2026-01-01T12:00:00.000Z', payloadJson: JSON.stringify(payload) });
      return fold.account().ended.isPushed;
    };
    expect([pushed(false), pushed(true)]).toEqual([true, false]);
  });

  it('that a hook refused behind a wrapper fail its last check', () => {
    const printed =
      'FAILED: git commit\n$ eslint .\n$ tsc --noEmit\nhusky - pre-commit script failed (code 2)';
    const { checks } = accountOf(
      asked,
      new Calls().run('eslint .', '').run('rtk git commit -m Grind', printed),
    );
    expect(checks).toMatchObject([
      { name: 'tsc --noEmit', end: 'failed' },
      { name: 'eslint .', end: 'passed' },
    ]);
  });
});

it('lists no command twice, nor one that nobody runs again', () => {
  const calls = new Calls()
    .run('npm test', 'Tests  3 passed (3)')
    .run('npm run lint', '')
    .run('npm run lint && npm test | tail -4', 'Tests  3 passed (3)')
    .run('gh issue create -t Rye', 'done')
    .run('bd update mill-1 --status closed', 'done')
    .run('./watch.sh --sha 8a6cdb1d279a3b9e 2>&1 | tail -6', 'done')
    .run('node a.mjs\nnode b.mjs', 'done');
  const listed = accountOf(asked, calls).commands.map(({ command }) => command);
  expect(listed.filter((command) => !/^npm/.test(command))).toEqual([]);
  expect(listed.length).toBeLessThan(3);
});

describe('the runs of a check', () => {
  const counts = (calls: Calls) =>
    accountOf(asked, calls).checks.map(({ name, runs, failures, unknown }) => [
      name,
      runs,
      failures,
      unknown,
    ]);
  const bad = 'mill/wheel.go:3:2: undefined: axle';

  it.each(['head -50', 'tail -5'])('are failed behind `%s` when a compiler complains', (pipe) => {
    const calls = new Calls().run(`go build ./... 2>&1 | ${pipe}`, bad).run('go build ./...', '');
    expect(counts(calls)).toEqual([['go build ./...', 2, 1, 0]]);
  });

  it('are counted where nothing shows how they ended', () => {
    const calls = new Calls().run('npm test | head -3', '> mill').run('npm test', 'Tests  3 passed (3)');
    expect(counts(calls)).toEqual([['npm test', 2, 0, 1]]);
  });

  it('are not said where a wider one passed with them, nor as a chain of which a part ended', () => {
    const good = 'ok  mill/wheel 0.2s';
    const chain = 'go test ./... 2>&1; echo "== rye"; go test ./rye -run Rye | grep grain';
    expect(counts(new Calls().run(chain, `${good}\n== rye`))).toEqual([['go test ./...', 1, 0, 0]]);
    const tried = new Calls()
      .run('node --test --no-warnings | head -3', '')
      .run('node --test', '# pass 4\n# fail 0');
    expect(counts(tried)).toEqual([['node --test', 1, 0, 0]]);
    const twice = new Calls()
      .run('Invoke-Pester -Path t -CI', 'Tests Passed: 4, Failed: 0')
      .run('Invoke-Pester -Path t', 'Tests Passed: 4, Failed: 0');
    expect(counts(twice)).toEqual([['Invoke-Pester -Path t', 2, 0, 0]]);
  });

  it('are counted in a chain that does not show which of them failed', () => {
    const chain = new Calls().run('npm run lint && npm test', 'mill: the wheel is stuck', true);
    expect(counts(chain.run('npm run lint', ''))).toContainEqual(['npm run lint', 2, 0, 1]);
  });
});

describe('the changed files', () => {
  const paths = (calls: Calls) => accountOf(asked, calls).files.map(({ path }) => path);

  it('are without those whose edits were undone, taken back or removed', () => {
    const calls = new Calls().edit('a.ts', 'one', 'two').edit('b.ts', 'x', 'y').edit('b.ts', 'y', 'x');
    expect(paths(calls)).toEqual(['a.ts']);
    expect(paths(calls.write('scan.mjs', 'go').run('rm scan.mjs'))).toEqual(['a.ts']);
    expect(paths(calls.run('git checkout -- a.ts', ''))).toEqual([]);
    expect(paths(new Calls().read('c.ts'))).toEqual([]);
  });

  it('are open until a call commits them, and count the lines that are left', () => {
    const calls = new Calls().edit('a.ts', 'one', 'two').edit('a.ts', 'two', 'three');
    expect(accountOf(asked, calls).files).toMatchObject([{ edits: 2, added: 1, removed: 1, isOpen: true }]);
    const after = accountOf(
      asked,
      calls.run('git commit -am "Count"', '[main 1a2b3c4] Count\n 1 file changed'),
    );
    expect(after.files).toMatchObject([{ isOpen: false }]);
    expect(after.commits).toMatchObject([{ text: 'Count', hash: '1a2b3c4', files: 1 }]);
  });

  it('have as many lines as a diff of the whole session', () => {
    const sizes = (calls: Calls) => {
      const { files } = accountOf(asked, calls);
      return files.map(({ added, removed }) => [added, removed]);
    };
    const wrapped = new Calls().edit('a.ts', 'grind();\nbake();', 'if (rye) {\n  grind();\n\n  bake();\n}');
    expect(sizes(wrapped)).toEqual([[5, 2]]);
    const made = new Calls().write('b.ts', 'open();\ngrind();\nclose();\n');
    expect(sizes(made.edit('b.ts', 'grind();', 'grind();\nsweep();'))).toEqual([[4, 0]]);
    const moved = new Calls().edit('c.ts', 'one();\ntwo();', 'two();\none();');
    expect(sizes(moved)).toEqual([[1, 1]]);
    const partly = moved.edit('c.ts', 'one();\nbake(bread);', 'three();\nbake(bread);');
    expect(sizes(partly.edit('c.ts', 'bake(bread);\nend();', 'bake(rolls);\nend();'))).toEqual([[3, 3]]);
    expect(sizes(partly.run('sed -i s/one/two/ c.ts'))).toEqual([[0, 0]]);
  });
});
