import { describe, expect, it } from 'vitest';
import { accountOf, type Part } from '../../../test/support/account/account-of.ts';
import { Calls } from '../../../test/support/account/events.ts';
import { failedLine } from './failed.ts';

const asked = ['user', 'Please make the mill grind rye without noise'] as const;

describe('what is no more', () => {
  const paths = (...parts: readonly Part[]) => accountOf(asked, ...parts).files.map(({ path }) => path);

  it('is what the user took back, not what a commit has', () => {
    const first = new Calls()
      .edit('a.ts', 'a', 'b')
      .run('git commit -m "Oil the axle"', '[main 1a2b3c4] Oil the axle');
    const parts = [first, new Calls().edit('b.ts', 'a', 'b')] as const;
    const later = new Calls().edit('c.ts', 'a', 'b');
    expect(paths(...parts, ['user', 'I reverted all your changes, only grease it'], later)).toEqual([
      'a.ts',
      'c.ts',
    ]);
    expect(paths(...parts, ['user', 'I reverted the changes in c.ts'], later)).toEqual([
      'a.ts',
      'b.ts',
      'c.ts',
    ]);
  });

  it('leaves what a commit has of a file', () => {
    const { files } = accountOf(
      asked,
      new Calls()
        .edit('a.ts', 'a', 'b')
        .run('git commit -m "Oil the axle" a.ts', '[main 1a2b3c4] Oil the axle')
        .edit('a.ts', 'b', 'c')
        .run('git checkout -- a.ts', ''),
    );
    expect(files).toMatchObject([{ path: 'a.ts', edits: 1, isOpen: false, added: 0 }]);
  });

  it('leaves what a commit has of a file that the session made', () => {
    const calls = new Calls()
      .write('a.ts', 'x')
      .run('git add a.ts && git commit -m "Oil the axle"', '[main 1a2b3c4] Oil the axle')
      .edit('a.ts', 'x', 'y')
      .run('git checkout -- a.ts', '');
    expect(accountOf(asked, calls).files).toMatchObject([{ path: 'a.ts', edits: 1, isOpen: false }]);
  });

  it('has its new name after one in another case', () => {
    const renamed = new Calls().edit('readme.md', 'a', 'b').run('git mv readme.md README.md', '');
    expect(accountOf(asked, renamed).files).toMatchObject([{ path: 'README.md', isGone: false }]);
  });

  it('is removed once, and has one name in two spellings', () => {
    const removed = new Calls().run('rm src/wheel.ts', '').run('git rm --cached src/wheel.ts', 'rm');
    expect(accountOf(asked, removed).files).toMatchObject([{ path: 'src/wheel.ts', edits: 1 }]);
    const spelled = new Calls().edit('src/Mill.ts', 'a', 'b').edit('src/mill.ts', 'c', 'd');
    expect(accountOf(asked, spelled).files).toMatchObject([{ path: 'src/Mill.ts', edits: 2 }]);
  });

  it('is a narrow check that passed, once its tool passed on more', () => {
    const ran = (...commands: string[]): string[] => {
      const calls = new Calls();
      for (const command of commands) calls.run(command, ' 1 passed (1)');
      return accountOf(asked, calls).checks.map(({ name }) => name);
    };
    expect(ran('npx vitest run src/a.test.ts', 'npx vitest run')).toEqual(['vitest run']);
    expect(ran('npx vitest run', 'npx vitest run src/a.test.ts')).toHaveLength(2);
    expect(ran('npm run test:ci', 'npm test')).toHaveLength(2);
    // Another option may select.
    for (const option of ['--project e2e', '--changed', '-f src/b.test.ts'])
      expect(ran('npx vitest run src/a.test.ts', `npx vitest run ${option}`)).toHaveLength(2);
    expect(ran('npx vitest run --project e2e src/a.test.ts', 'npx vitest run --project e2e')).toHaveLength(1);
    expect(ran('npx vitest run -t grinds && npx eslint a.ts', 'npx vitest run', 'npx eslint .')).toEqual([
      'eslint .',
      'vitest run',
    ]);
  });

  it('is a file that was made and removed, also one whose name begins with a dot', () => {
    const made = (name: string) => new Calls().write(name, 'x').run(`rm ${name}`);
    expect(paths(made('.millstoneignorelist'))).toEqual([]);
    expect(paths(made('wheel.txt'))).toEqual([]);
  });
});

it('leaves out of the commands a look at one thing', () => {
  const { commands } = accountOf(
    asked,
    new Calls()
      .run("node -e 'console.log(1)'")
      .run('cat rye.json | python3 -c "import json"')
      .run('gh api repos/m/mill/actions/jobs/7/logs | grep stone')
      .run('Get-Content log.txt | Select-String stone')
      .run('node grind.mjs --rye'),
  );
  expect(commands.map(({ command }) => command)).toEqual(['node grind.mjs --rye']);
});

it('says a failure once: that of a hook, and that of two names that are cut alike', () => {
  const long = `npx vitest run ${'src/wheels/'.repeat(8)}`;
  const account = accountOf(
    asked,
    new Calls()
      .run(`${long}a.test.ts`, 'Tests  1 failed (1)', true)
      .run(`${long}b.test.ts`, 'Tests  1 failed (1)', true)
      .edit('a.ts', 'a', 'b')
      .run(`${long}a.test.ts`, 'Tests  1 passed (1)')
      .run(`${long}b.test.ts`, 'Tests  1 passed (1)'),
  );
  expect(failedLine(account, 400).match(/vitest run/g)).toHaveLength(1);
});

it('knows a commit by the text of a PowerShell here-string', () => {
  const { commits } = accountOf(
    asked,
    new Calls()
      .edit('a.ts', 'a', 'b')
      .run("git add -A; git commit -q -m @'\nOil the miller's axle\n\nIt squeaked.\n'@"),
  );
  expect(commits.map(({ text }) => text)).toEqual(["Oil the miller's axle"]);
});

it('is no failure that `jest -f` passed on another file', () => {
  const calls = new Calls().run('npx jest a.test.ts', 'Tests: 1 failed, 1 total', true);
  const { checks } = accountOf(asked, calls.run('npx jest -f b.test.ts', 'Tests: 1 passed, 1 total'));
  expect(checks.map(({ name, end, isFixed }) => [name, end, isFixed])).toEqual([
    ['jest a.test.ts', 'failed', false],
    ['jest -f b.test.ts', 'passed', false],
  ]);
});

it.each(['--dry-run', '-n origin main', '--help'])('is no push with %s', (option) => {
  const calls = new Calls().edit('a.ts', 'a', 'b').run('git push', 'fatal: no road', true);
  const { ended, files, troubles } = accountOf(
    asked,
    calls.run(`git push ${option}`, 'Everything up-to-date'),
  );
  expect([ended.isPushed, files[0]?.isOpen]).toEqual([false, true]);
  expect(troubles).toMatchObject([{ name: 'git push', isFixed: false }]);
});

it('names of a chain that failed what did not come to pass', () => {
  const failed = (command: string, said: string) =>
    failedLine(accountOf(asked, new Calls().edit('a.ts', 'a', 'b').run(command, said, true)), 400);
  const away = 'ssh: connect to host example.org port 22: Operation timed out';
  expect(failed('git pull --rebase && git push && git status -sb', away)).toBe(
    `1 other command, last \`git pull --rebase && git push && git status -sb\`: ${away}`,
  );
  const made = `[main 1a2b3c4] Oil\n 1 file changed\n${away}`;
  expect(failed('git add a.ts && git commit -m "Oil & grease; then rest" && git push', made)).toContain(
    'last `git push`: ssh',
  );
  expect(failed('ls src && git status', 'ls: src: No such file')).toBe('');
});

it('pairs an edit that failed with a script that wrote its file', () => {
  const input = { file_path: '/p/mill.ts', old_string: 'oats', new_string: 'rye' };
  const tried = () => new Calls().fail('Edit', input, 'String to replace not found in file.');
  const script = `python3 -c "s = open('mill.ts').read()\nopen('mill.ts', 'w').write(s.replace('oats', 'rye'))"`;
  expect(accountOf(asked, tried().run(script)).fixes).toEqual([[2, 3]]);
  expect(accountOf(asked, tried().run(script.replaceAll('mill', 'gate'))).fixes).toEqual([]);
});

it('leaves out of the commands what waits for a run elsewhere, and a refused push stays a failure until one went through', () => {
  const refused = ' ! [rejected] main -> main (fetch first)';
  const push = (output: string) => new Calls().run('git push origin main 2>&1 | tail -2', output);
  const watched = new Calls().run('gh run watch 4711 --exit-status | tail -3').run('node grind.mjs rye');
  expect(accountOf(asked, watched).commands.map(({ command }) => command)).toEqual(['node grind.mjs rye']);
  const begun = new Calls().run('./watch.sh 1a2b3c4d &', '');
  expect(accountOf(asked, begun).commands).toMatchObject([{ end: 'started' }]);
  const open = accountOf(asked, push(refused));
  expect(open.troubles).toMatchObject([{ name: 'git push', isFixed: false }]);
  expect(open.ended.isPushed).toBe(false);
  const done = accountOf(asked, push(refused), push('   1a2b3c4..5d6e7f8  main -> main'));
  expect([done.troubles, done.ended.isPushed]).toEqual([[], true]);
});
