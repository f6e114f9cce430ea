import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolEvent } from '#core/event';
import { payloadOf } from '#memory/store';
import { Calls } from '../../../test/support/account/events.ts';
import { runs } from '../../../test/support/runs.ts';
import { AccountFold } from './fold.ts';
import { digestTermsCharsMax } from './terms.ts';
import { accountText, digestCharsMax } from './text.ts';
import { decisionWords } from './words.ts';

function foldOf(events: readonly ToolEvent[], ...prompts: readonly string[]): AccountFold {
  const fold = new AccountFold();
  fold.prompts(prompts);
  for (const [at, event] of events.entries())
    fold.take({ seq: at + 1, ts: event.ts, payloadJson: JSON.stringify(payloadOf(event)) });
  return fold;
}

function composed(calls: Calls, ...prompts: readonly string[]) {
  const fold = foldOf(calls.events, ...prompts);
  const account = fold.account();
  return { text: accountText(account), terms: fold.terms(account) };
}

const linesOf = (calls: Calls, ...prompts: readonly string[]) => composed(calls, ...prompts).text.split('\n');

describe('the account of a session', () => {
  it('states what was wanted, changed, committed and decided, what failed, and how it ended', () => {
    const calls = new Calls()
      .read('src/mill.ts')
      .ask('Which grain first?', 'Rye')
      .plan('# Plan: A quieter mill\n\nOil the wheel.')
      .edit('src/mill.ts', 'export function grind() {\n', 'export function grind(rye: Grain) {\n')
      .edit('src/mill.ts', 'a', 'b')
      .write('src/wheel.ts', 'export class Wheel {\n}\n')
      .run('npm test', 'Error: the wheel is stuck', true)
      .refuse('rm -rf sacks', 'we still need them')
      .run('npm test', '12 passed')
      .run('git commit -m "Grind rye first"', '[main 1a2b3c4] Grind rye first')
      .run('git push');
    expect(linesOf(calls, 'make the mill quieter for the miller', 'now let us do the wheel as well')).toEqual(
      [
        'Goal: make the mill quieter for the miller',
        'Then: now let us do the wheel as well',
        'Changed: 2 files: src/mill.ts (2 edits: grind), src/wheel.ts (created: Wheel)',
        'Committed: “Grind rye first”',
        'Decided: “Which grain first?” → “Rye”; plan “A quieter mill”; on refusing: “we still need them”',
        'Failed: `npm test` (fixed)',
        'Ended: committed after the last edit; pushed; last check `npm test` passed',
      ],
    );
  });

  it('takes the checks that the hook of a commit ran as passed, and a refused commit as none', () => {
    const calls = new Calls()
      .edit('src/mill.ts', 'a', 'b')
      .run('bun run test', '(fail) mill > grinds rye\n 3 pass\n 1 fail', true)
      .run('rtk git commit -m "Grind rye"', 'FAILED: git commit\nhusky - pre-commit script failed (code 1)');
    expect(linesOf(calls)).toEqual([
      'Changed: src/mill.ts (1 edit)',
      'Failed: `bun run test` (still failing): (fail) mill > grinds rye; tests mill > grinds rye',
      'Ended: last check `bun run test` failed',
    ]);
    calls.run(
      'git commit -m "Grind rye after a git checkout"',
      '$ bun test src/\n 4 pass\n 0 fail\n[main 1a2b3c4] Grind rye',
    );
    expect(linesOf(calls)).toEqual([
      'Changed: src/mill.ts (1 edit)',
      'Committed: “Grind rye after a git checkout”',
      'Failed: `bun run test` (fixed)',
      'Ended: committed after the last edit; last check `bun run test` passed',
    ]);
  });

  it('of a session without changes states what was read', () => {
    const calls = new Calls().read('src/wheel.ts').read('src/mill.ts').read('src/mill.ts');
    expect(linesOf(calls, 'how does the mill grind at night')).toEqual([
      'Goal: how does the mill grind at night',
      'Looked at: 2 files: src/mill.ts, src/wheel.ts',
    ]);
  });

  it('says what is left open: a failing check with its complaint, edits that no commit holds', () => {
    const calls = new Calls()
      .write('a.ts', 'const a = 1;')
      .run('git commit -am "Begin"')
      .edit('a.ts', '1', '2')
      .run('npm test', '--- FAIL: TestRye\nFAIL', true);
    const lines = linesOf(calls);
    expect(lines).toContain('Failed: `npm test` (still failing): --- FAIL: TestRye; tests TestRye');
    expect(lines.at(-1)).toBe('Ended: last check `npm test` failed');
    const account = foldOf(calls.events).account();
    expect(account.files.map(({ path, isOpen }) => [path, isOpen])).toEqual([['a.ts', true]]);
    const later = [{ hash: '1a2b3c4', subject: 'Grind', files: ['b.ts'] }];
    expect(accountText(account, { uncommitted: ['a.ts'], committed: later })).toContain(
      'Ended: 1 file committed later in 1a2b3c4 “Grind”; 1 file not committed (a.ts); last check',
    );
  });

  it('counts an amended commit once, and takes one without a subject for a commit', () => {
    const calls = new Calls()
      .write('a.ts', 'const a = 1;')
      .run('git commit -m "Grind ry"')
      .run('git commit --amend -m "Grind rye"')
      .edit('a.ts', '1', '2')
      .run('git commit -a --amend --no-edit');
    expect(linesOf(calls)).toEqual([
      'Changed: a.ts (created, 1 edit: a)',
      'Committed: “Grind rye”',
      'Ended: committed after the last edit',
    ]);
  });

  it('reads a command that is given as a list of words', () => {
    const calls = new Calls()
      .write('a.ts', 'const a = 1;')
      .run('git commit -m "Grind rye"')
      .edit('a.ts', '1', '2');
    const commit = new Calls().run('git commit -a --amend --no-edit').events.map((event) => ({
      ...event,
      input: { command: ['bash', '-lc', 'git commit -a --amend --no-edit'] },
    }));
    expect(accountText(foldOf([...calls.events, ...commit]).account())).toContain(
      'Ended: committed after the last edit',
    );
  });

  it('takes no longer for many options and blank lines than for other words', () => {
    // Would take years if a pattern tried the options in every way; the test's own timeout is the only clock.
    const options = ['--no-pager', '-c', '-C /p', '-c a=b', '--git-dir=x'];
    const many = Array.from({ length: 400 }, (_, at) => options[at % options.length]).join(' ');
    const calls = new Calls().write('a.ts', 'const a = 1;').run(`git ${many} push`, 'no', true);
    expect(linesOf(calls.refuse('rm a.ts', `no${'\n'.repeat(20_000)}`))).toHaveLength(3);
    const committed = `git -C /p -c commit.gpgsign=false --no-pager commit -m "Grind rye"`;
    expect(linesOf(calls.run(committed)).at(-1)).toBe('Ended: committed after the last edit');
  });

  it('states what failed again and again, and not what a look did not find or went well at the next try', () => {
    const calls = new Calls()
      .run('ls sacks', 'no such file', true)
      .run('deploy mill', 'fatal: no wind', true)
      .run('deploy mill', 'fatal: no wind', true)
      .run('fetch rye', 'fatal: no cart', true)
      .run('fetch rye')
      .run('fetch wheat', 'fatal: no ox', true);
    expect(linesOf(calls)).toEqual([
      'Ran: 3 commands: `fetch rye`, `deploy mill`, `fetch wheat`',
      'Failed: `deploy mill` 2 times: fatal: no wind; 1 other command, last `fetch wheat`: fatal: no ox',
    ]);
  });

  it('says how far the plan is, in its last state, and what comes next', () => {
    const ended = (calls: Calls): string | undefined => linesOf(calls).at(-1);
    const list = new Calls().write('a.ts', 'rye').steps(0, 'grind', 'bake').steps(1, 'grind', 'bake', 'sell');
    expect(ended(list)).toBe('Ended: 1 of 3 steps done, next “bake”');
    expect(ended(list.steps(3, 'grind', 'bake', 'sell'))).toBe('Ended: plan done (3 steps)');
    const tasks = new Calls().write('a.ts', 'rye').task(1, 'grind').task(2, 'bake').task(1, '', 'completed');
    expect(ended(tasks.task(2, '', 'in_progress'))).toBe('Ended: 1 of 2 steps done, next “bake”');
  });

  it('takes a step that only runs checks for done when they pass after the last edit', () => {
    const ended = (calls: Calls): string => linesOf(calls).at(-1) ?? '';
    const calls = new Calls().write('a.ts', 'rye').steps(1, 'grind', 'Run fmt, lint, and tests');
    expect(ended(calls.run('npm test', '12 passed'))).toMatch(/^Ended: plan done \(2 steps\)/);
    expect(ended(calls.write('NOTES.md', 'rye'))).toContain('plan done');
    expect(ended(calls.edit('a.ts', 'rye', 'oat'))).toContain('1 of 2 steps done');
    expect(ended(calls.run('npm test', '1 failed', true))).toContain('1 of 2 steps done');
    const other = new Calls().write('a.ts', 'rye').steps(1, 'grind', 'Write tests for the wheel');
    expect(ended(other.run('npm test', '12 passed'))).toContain('next “Write tests for the wheel”');
  });

  it('counts what was edited after anything that may have committed, without git’s own files and temporary ones', () => {
    const calls = new Calls().write('a.ts', 'rye').run('git pull').write('.git/hooks/pre-push', 'exit 0');
    calls.write('tmp/clone/b.ts', 'rye').run('rm -rf tmp/clone').run('chmod -x .git/hooks/post-commit');
    const lines = linesOf(calls);
    expect(lines).toHaveLength(1);
    const open = foldOf(calls.edit('a.ts', 'rye', 'oat').events)
      .account()
      .files.filter(({ isOpen }) => isOpen);
    expect(open.map(({ path }) => path)).toEqual(['a.ts']);
    expect(lines[0]).toMatch(/^Changed: 3 files: .*post-commit \(1 edit\)/);
  });

  it('leaves out files outside of the work, and those that came and went', () => {
    const calls = new Calls().write('a.ts', 'const a = 1;').run('rm a.ts').write('b.ts', 'const b = 1;');
    const scratch = new Calls().run("cat > /tmp/note.md <<'EOF'\nrye\nEOF");
    expect(linesOf(calls)[0]).toBe('Changed: b.ts (created: b)');
    expect(composed(scratch).text).toBe('');
    expect(composed(new Calls().write('.git/sessions/one.json', '{}')).text).toBe('');
  });

  it('gives a file one name in all folders of the shell', () => {
    const calls = new Calls().edit('web/page.ts', 'a', 'b').edit('web/page.ts', 'b', 'c');
    const [first, second] = calls.events.map((event, at) => ({ ...event, cwd: at === 0 ? '/p' : '/p/web' }));
    const both = [first, second].filter((event) => event !== undefined);
    expect(accountText(foldOf(both).account())).toMatch(/^Changed: web\/page\.ts \(2 edits\)/);
  });

  it('is found by further words: all files, symbols and what was said', () => {
    const { terms } = composed(new Calls().edit('src/mill.ts', 'a', 'function grind() {'), 'make it quieter');
    expect(terms.split(' ')).toEqual(expect.arrayContaining(['src/mill.ts', 'grind', 'quieter']));
  });
});

it('keeps within its limits and says the same twice, however much there is to say', () => {
  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
  const step = fc.oneof(
    word.map((text) => (calls: Calls) => calls.write(`src/${text}.ts`, `export const ${text} = 1;`)),
    word.map((text) => (calls: Calls) => calls.run(`npm test ${text}`, `Error: ${text.repeat(9)}`, true)),
    word.map((text) => (calls: Calls) => calls.run(`git commit -m "${text}"`)),
    word.map((text) => (calls: Calls) => calls.ask(text.repeat(4), text)),
    word.map((text) => (calls: Calls) => calls.refuse('rm x', text.repeat(8))),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.array(word), (steps, prompts) => {
      const calls = new Calls();
      for (const one of steps) one(calls);
      const account = composed(calls, ...prompts);
      expect(account.text.length).toBeLessThanOrEqual(digestCharsMax);
      expect(account.terms.length).toBeLessThanOrEqual(digestTermsCharsMax);
      expect(account.text.split('\n').length).toBeLessThanOrEqual(8);
      expect(composed(calls, ...prompts)).toEqual(account);
    }),
    { numRuns: runs(40) },
  );
});

it('keeps of a long question what it is about', () => {
  const about = 'The commit hook stops at complaints in the wheel house that nobody touched for this.';
  const decided = (question: string) => decisionWords({ seq: 1, by: 'answer', text: 'fix them', question });
  expect(decided(`${about} How should we proceed?`)).toBe(
    '“The commit hook stops at complaints in the wheel house that nobody… How should we proceed?” → “fix them”',
  );
  const whole = 'Should there be two separate diffs of the wheel or one combined diff?';
  expect(decided(`${about} ${whole}`)).toBe(`“${whole}” → “fix them”`);
});
