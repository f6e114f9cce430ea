import { describe, expect, it, test } from 'vitest';
import { accountOf, type Part } from '../../../test/support/account/account-of.ts';
import { Calls } from '../../../test/support/account/events.ts';
import { accountText } from './text.ts';

const asked = ['user', 'Please make the mill grind rye without noise'] as const;
const filesOf = (...parts: readonly Part[]) => accountOf(asked, ...parts).files;

describe('changed files', () => {
  it('have no symbol whose lines were taken out again', () => {
    const calls = () =>
      new Calls()
        .edit('src/mill.ts', 'begin();', 'begin();\nexport function oilTheWheel() {\n  grease();\n}')
        .edit('src/mill.ts', 'begin();', 'begin();\nexport function countTheSacks() {\n  sacks += 1;\n}');
    expect(filesOf(calls())).toMatchObject([{ symbols: ['oilTheWheel', 'countTheSacks'] }]);
    const back = calls().edit('src/mill.ts', '\nexport function oilTheWheel() {\n  grease();\n}', '');
    expect(filesOf(back)).toMatchObject([{ symbols: ['countTheSacks'] }]);
  });

  it('keep a symbol that only lost lines', () => {
    const calls = new Calls().edit(
      'src/mill.ts',
      'export function grind() {\n  rattle();\n  turn();\n}',
      'export function grind() {\n  turn();\n}',
    );
    expect(filesOf(calls)).toMatchObject([{ symbols: ['grind'] }]);
  });

  it('lost nothing where the session made them', () => {
    const calls = new Calls()
      .write('src/wheel.ts', 'const spokes = 8;\nconst rim = 2;\nconst hub = 1;\n')
      .edit('src/wheel.ts', 'const hub = 1;\n', '')
      .edit('src/wheel.ts', 'const spokes = 8;', 'const spokes = 9;');
    expect(filesOf(calls)).toMatchObject([{ isNew: true, added: 2, removed: 0 }]);
  });
});

describe('a report of what was done', () => {
  it('is the outcome, as a reply is', () => {
    const calls = new Calls().edit('src/mill.ts', 'a', 'b').report('The mill grinds rye without noise.');
    const { outcome } = accountOf(asked, ['assistant', 'Both are running, I wait for them.'], calls);
    expect(outcome?.text).toBe('The mill grinds rye without noise.');
  });
});

describe('failures', () => {
  const failedOf = (calls: Calls) =>
    accountText(accountOf(asked, calls))
      .split('\n')
      .find((line) => line.startsWith('Failed: ')) ?? '';
  const noBuild = (calls: Calls) =>
    calls.run('go build -tags=e2e ./gate/...', 'gate/a.go:4:2: undefined: wheel', true);

  it('were not fixed where another form passed and nothing was changed', () => {
    const vet = (calls: Calls) => calls.run('go vet -tags=e2e ./gate/...', '');
    expect(failedOf(noBuild(new Calls()))).toContain('still failing');
    expect(failedOf(vet(noBuild(new Calls())))).toBe('');
    expect(failedOf(vet(noBuild(new Calls()).edit('gate/a.go', 'wheel', 'hub')))).toContain('(fixed)');
  });

  it('are over where the file that they name was restored, whatever changed it', () => {
    const lint = (calls: Calls) =>
      calls.run('mise run lint', 'gate/open.go:87:1: Open returns interface (ireturn)', true);
    const restored = (path: string) => lint(new Calls()).run(`git checkout ${path}`, 'Updated 1 path');
    for (const path of ['gate/', 'gate/open.go', '-- gate']) expect(failedOf(restored(path))).toBe('');
    expect(failedOf(restored('wheel/'))).toContain('still failing');
    // Nor does the last line say it.
    expect(accountText(accountOf(asked, restored('gate/')))).not.toContain('last check');
    expect(accountText(accountOf(asked, restored('wheel/')))).toContain('last check `mise run lint` failed');
  });

  it('are none of the edit tool that was given other text than there is', () => {
    const slip = (said: string) => {
      const calls = new Calls();
      for (let at = 0; at < 3; at += 1) calls.fail('Edit', { file_path: '/p/src/mill.ts' }, said);
      return failedOf(calls);
    };
    expect(slip('String to replace not found in file.')).toBe('');
    expect(slip('File has not been read yet. Read it first before writing to it.')).toBe('');
  });

  it('are named by the whole command when an earlier part may have failed, and over when its last part ran', () => {
    const calls = new Calls().run(
      'echo RYE=1 > /tmp/mill-env/.env && bash tools/mill.sh --turn',
      '(eval):1: no such file or directory: /tmp/mill-env/.env',
      true,
    );
    expect(failedOf(calls)).toContain('`echo RYE=1');
    expect(failedOf(calls.run('mkdir -p /tmp/mill-env && bash tools/mill.sh --turn', 'turned'))).toBe('');
  });

  it('are not over when only what tidies up behind them ran', () => {
    const calls = () =>
      new Calls().run('bash tools/mill.sh --turn && rm -rf dust', 'mill: the gate is shut', true);
    for (const later of ['rm -rf dust', 'mkdir -p sacks && rm -rf dust'])
      expect(failedOf(calls().run(later, ''))).toContain('mill: the gate is shut');
    expect(failedOf(calls().run('bash tools/mill.sh --turn', 'turned'))).toBe('');
  });

  it('are none of the changes that were taken back when nothing was changed', () => {
    for (const back of ['git checkout .', 'git reset --hard', 'git restore .'])
      expect(
        failedOf(new Calls().run('npm test', 'Tests  3 failed | 5 passed', true).run(back, '')),
      ).toContain('still failing');
  });

  it('do not count refused calls', () => expect(failedOf(new Calls().refuse('./mill.sh empty'))).toBe(''));
});

test('a check in two folders is two checks, each with its own runs', () => {
  const calls = new Calls()
    .run('cd board && go test ./...', 'ok  \tmill/board\t0.2s')
    .run('cd wheel && go test ./... | grep turned', 'it turned');
  expect(accountOf(asked, calls).checks).toMatchObject([
    { place: 'wheel', end: 'unknown', runs: 1 },
    { place: 'board', end: 'passed', runs: 1, unknown: 0 },
  ]);
});

describe('a command', () => {
  const ends = (calls: Calls) => accountOf(asked, calls).commands.map(({ end }) => end);

  it('has no known end behind `head`, and where a wrapper prints that it failed', () => {
    expect(ends(new Calls().run('./mill.sh turn 2>&1 | head -3', 'turning'))).toEqual(['unknown']);
    expect(ends(new Calls().run('wrap lint ./mill.sh', 'Lint: 1 errors, 1 warnings'))).toEqual(['unknown']);
    expect(ends(new Calls().run('wrap lint ./mill.sh', 'Lint: 0 errors, 1 warnings'))).toEqual(['passed']);
  });

  it('is none that was tried with another state of the files', () =>
    expect(ends(new Calls().run('git stash && ./mill.sh turn; git stash pop', 'turned'))).toEqual([]));
});

describe('a prompt of which nothing came', () => {
  const stopped = ['user', 'I get this error when the mill starts: RangeError, can you help?'] as const;
  const next = ['user', 'Why does the gate say that the wheel still turns?'] as const;
  const reply = ['assistant', 'The gate read an old state, so I removed it.'] as const;

  it('is neither goal nor request when the next one asks for something else', () => {
    const { goal, requests } = accountOf(stopped, next, reply);
    expect(goal?.text).toBe(next[1]);
    expect(requests.map(({ text }) => text)).toEqual([next[1]]);
  });

  it('is both when it was answered, or the next one goes on with it', () => {
    expect(accountOf(stopped, reply, next, reply).goal?.text).toContain('RangeError');
    expect(accountOf(stopped, ['user', 'And please log what it prints there'], reply).goal?.text).toContain(
      'RangeError',
    );
    for (const more of ['Use the log of last night', 'Only look at the gate, not at the wheel'])
      expect(accountOf(stopped, ['user', more], reply).goal?.text).toContain('RangeError');
    expect(accountOf(stopped, next).goal?.text).toContain('RangeError');
  });
});

it('a folder that is listed was not read, and a message that PowerShell removes was not changed', () => {
  const view = (path: string, text: string) => {
    const calls = new Calls().fail('view', { path: `/p/${path}` }, text);
    calls.events.splice(0, 1, ...calls.events.map((one) => ({ ...one, isError: false })));
    return calls;
  };
  const asked = ['user', 'Look at the mill and tell me what it grinds'] as const;
  const looked = accountOf(asked, view('src', 'mill.ts\nwheel.ts'), view('Makefile', '1. mill:\n2. \tgrind'));
  expect(looked.looked.files).toEqual(['Makefile']);
  const commit = 'git commit -F message.txt | Out-String; Remove-Item message.txt; Remove-Item mill.ts.bak';
  const calls = new Calls().edit('mill.ts', 'a', 'b').write('message.txt', 'Oil the mill');
  const account = accountOf(asked, calls.run(commit, '[main 1a2b3c4] Oil the mill'));
  expect(account.files.map(({ path }) => path)).toEqual(['mill.ts']);
});
