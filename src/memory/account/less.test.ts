import { describe, expect, it } from 'vitest';
import { accountOf, type Part } from '../../../test/support/account/account-of.ts';
import { Calls } from '../../../test/support/account/events.ts';
import { endingOf } from './ended.ts';
import { accountText } from './text.ts';

const asked = ['user', 'Please make the mill grind rye without noise'] as const;

describe('what is said on the way', () => {
  const texts = (...parts: readonly Part[]) => accountOf(...parts).requests.map(({ text }) => text);

  it('is no request while nothing is changed for it', () => {
    const look = () => new Calls().read('src/wheel.ts');
    const told = ['user', 'this has happened twice at night, just so you know'] as const;
    const ahead = ['user', 'now, please, implement the fix'] as const;
    expect(texts(asked, look(), told, look(), ahead, new Calls().edit('a.ts', '1', '2'))).toEqual([asked[1]]);
    expect(texts(asked, look(), told, new Calls().edit('a.ts', '1', '2'))).toHaveLength(2);
  });

  it('is no decision when it only asks, nor when it is the goal', () => {
    const { decided } = accountOf(
      ['user', "let's use rye and not wheat for the small mill"],
      new Calls().refuse('sow wheat', 'why not both?').refuse('sow oats', 'no oats, they are too light'),
    );
    expect(decided.map(({ text }) => text)).toEqual(['no oats, they are too light']);
  });
});

describe('the end of a session', () => {
  const work = () => new Calls().edit('src/gate.ts', 'a', 'b');
  const done = ['assistant', 'Added a bell to the gate, and it rings at noon.'] as const;
  const more = ['user', 'at the top of the page, find a place for the name of the mill'] as const;

  it('is in the middle of a request that nothing answers', () => {
    const account = accountOf(asked, work(), done, more, new Calls().read('src/page.ts'));
    expect(account.outcome).toMatchObject({ isEarlier: true });
    expect(account.ended.during[0]?.text).toBe(more[1]);
  });

  it('is the API error behind which nothing came, never an outcome', () => {
    const error = ['assistant', 'API error: 529 the mill is busy', 'error'] as const;
    const account = accountOf(asked, work(), done, more, new Calls().read('src/page.ts'), error);
    expect(account.ended.error?.text).toBe('529 the mill is busy');
    expect(account.ended.during[0]?.text).toBe(more[1]);
    expect(account.outcome?.text).toBe(done[1]);
    expect(accountText(account)).toContain('Ended: by an API error: 529 the mill is busy');
    for (const next of [work(), done, ['user', 'continue'] as const])
      expect(accountOf(asked, work(), error, next).ended.error).toBeUndefined();
  });

  it('is an answer also where that is a line above a piece of code', () => {
    const answer = ['assistant', 'In `mill.json`:\n\n```json\n{ "name": true }\n```'] as const;
    const account = accountOf(asked, work(), done, more, new Calls().read('mill.json'), answer);
    expect(account.ended.during).toEqual([]);
  });

  it('comes before a commit with its line in the changelog', () => {
    const { outcome } = accountOf(
      asked,
      work(),
      done,
      ['user', 'commit and update the changelog'],
      new Calls()
        .edit('CHANGELOG.md', 'a', 'b')
        .run('git commit -am Bell', '[main 1a2b3c4] Bell\n 2 files changed'),
      ['assistant', 'The changelog now has an entry at the top.'],
    );
    expect(outcome?.text).toMatch(/^Added a bell/);
  });

  it('is not failing once what failed before the last edits was committed', () => {
    const failed = () =>
      new Calls().run('bun run test', '3 pass\n1 fail', true).edit('src/gate.ts', 'b', 'c');
    const commit = new Calls().run('git commit -am Bell', '[main 1a2b3c4] Bell\n 1 file changed');
    expect(endingOf(accountOf(asked, work(), failed()))).toBe('failing');
    expect(endingOf(accountOf(asked, work(), failed(), commit))).toBe('committed');
    expect(accountText(accountOf(asked, work(), failed(), commit))).toContain(
      '`bun run test` (not run again): 1 fail',
    );
  });
});

describe('files that a piece of code writes', () => {
  const changed = (command: string, output = 'done') =>
    accountOf(asked, new Calls().read('src/mill/gate.ts').run(command, output)).files.map(({ path }) => path);

  it.each([
    ["python3 -c \"open('src/a.ts', 'w').write(text)\"", 'src/a.ts'],
    ["python3 <<'PY'\npath = 'src/b.ts'\nwith open(path, 'w') as f:\n    f.write(text)\nPY", 'src/b.ts'],
    ["node -e \"require('fs').writeFileSync('src/c.json', text)\"", 'src/c.json'],
    ['python3 -c "from pathlib import Path; Path(\'src/d.py\').write_text(text)"', 'src/d.py'],
    ["cd src/mill && python3 -c \"open('gate.ts', 'w').write(text)\"", 'src/mill/gate.ts'],
  ])('%s', (command, path) => expect(changed(command)).toEqual([path]));

  it('keep their names, whatever file of the same name was read before', () => {
    expect(changed("node -e \"require('fs').writeFileSync('gate.ts', text)\"")).toEqual(['gate.ts']);
    const edited = new Calls().read('src/mill/gate.ts').edit('gate.ts', 'a', 'b');
    expect(accountOf(asked, edited).files.map(({ path }) => path)).toEqual(['gate.ts']);
  });

  it.each([
    "grep -rn \"open('x.py', 'w')\" src; python3 run.py",
    "python3 <<'PY'\n# open('x.py', 'w')\nprint(1)\nPY",
    "cat > /tmp/gen.py <<'PY'\nopen('x.py', 'w')\nPY\npython3 --version",
    "node -e \"require('fs').writeFileSync('dist/' + name, text)\"",
  ])('are none in %s', (command) => expect(changed(command)).toEqual([]));

  it('are none when it reads, or finds no place to write', () => {
    expect(changed('python3 -c "print(open(\'src/a.ts\').read())"')).toEqual([]);
    expect(changed("python3 -c \"open('src/a.ts', 'w').write(text)\"", 'ERROR: old text not found')).toEqual(
      [],
    );
  });
});

it('a commit does not count the files of an agent whose work came with others', () => {
  const calls = new Calls()
    .write('docs/plan.md', 'a')
    .edit('src/gate.ts', 'a', 'b')
    .agent('dev', 'Build the gate');
  const commit = new Calls().run('git commit -am Gate', '[main 1a2b3c4] Gate\n 2 files changed');
  expect(accountOf(asked, calls, commit)).toMatchObject({ filesCount: 2, mayBeMore: true });
});

it('what a piece of code imports is no tool of the project', () => {
  const missing = (command: string, output: string) =>
    accountOf(asked, new Calls().run(command, output, true)).missing;
  expect(missing('python3 -c "import flour"', "ModuleNotFoundError: No module named 'flour'")).toEqual([]);
  expect(missing('python3 -m flour', '/usr/bin/python3: No module named flour')).toMatchObject([
    { missing: 'flour' },
  ]);
});

it('lists no command for which another one stood in, nor one that only compares', () => {
  const commands = (command: string) =>
    accountOf(asked, new Calls().run(command, 'ok')).commands.map((one) => one.command);
  expect(commands('mill grind && echo "fine" || echo "no mill, skipped"')).toEqual([]);
  expect(commands('md5sum a.bin; sha256sum b.bin')).toEqual([]);
  expect(commands('mill grind')).toEqual(['mill grind']);
});

describe('what ends a reply', () => {
  const question = (reply: string) => accountOf(asked, ['assistant', reply]).question?.text;

  it('is a choice with what may be chosen', () => {
    expect(
      question(
        '**Option 1: Oil**\n\nCheap.\n\n**Option 2: A chain**\n\nLasts long. Which way do you want to go?',
      ),
    ).toBe('Which way do you want to go? (Option 1: Oil; Option 2: A chain)');
    expect(question('**Option 1: Oil**\n\nShall I oil the gate?')).toBe('Shall I oil the gate?');
  });

  it('is no report when it only names the commit', () => {
    const says = (reply: string) => accountOf(asked, ['assistant', reply]).requests[0]?.says?.text ?? '';
    expect(says('Committed as `1a2b3c4`. All 12 tests pass.')).toBe('');
    expect(
      says('Pushed the two commits of the gate, and the bell was added to the page of the upper mill.'),
    ).not.toBe('');
  });
});

it('commits that are rebased have no hash any more, those that were pushed before keep theirs', () => {
  const commit = (name: string, hash: string) =>
    new Calls()
      .edit('a.ts', name, hash)
      .run(`git commit -am ${name}`, `[main ${hash}] ${name}\n 1 file changed`);
  const rebase = new Calls().run('git pull --rebase', 'Successfully rebased and updated refs/heads/main.');
  const push = () => new Calls().run('git push', 'done');
  const { commits } = accountOf(
    asked,
    commit('Gate', '1a2b3c4'),
    push(),
    commit('Bell', '5d6e7f8'),
    rebase,
    push(),
  );
  expect(commits.map(({ hash }) => hash)).toEqual(['1a2b3c4', null]);
});

it('takes for the outcome what came of long work behind a push', () => {
  const calls = new Calls();
  for (let at = 0; at < 31; at += 1) calls.edit('src/gate.ts', `${at}`, `${at + 1}`);
  const first = ['assistant', 'Added a bell to the gate, and it rings at noon.'] as const;
  const last = ['assistant', 'Replaced the rope of the bell with a chain.'] as const;
  const { outcome } = accountOf(
    asked,
    new Calls().edit('src/gate.ts', 'a', 'b'),
    first,
    ['user', 'push and create a PR'],
    calls,
    last,
  );
  expect(outcome?.text).toBe(last[1]);
});

it('lists no failed command whose checks the same program passed later in a chain', () => {
  const commands = (...runs: readonly string[]) => {
    const calls = new Calls().run(runs[0] ?? '', 'src/a.ts:1:1: error: no oil', true);
    for (const run of runs.slice(1)) calls.run(run, 'All checks passed');
    return accountOf(asked, calls).commands.filter(({ end }) => end === 'failed').length;
  };
  expect(commands('mise run lint', 'mise run fmt && mise run lint')).toBe(0);
  expect(commands('mise run lint', 'mise run fmt')).toBe(1);
});
