import { describe, expect, it } from 'vitest';
import { accountOf, type Part } from '../../../test/support/account/account-of.ts';
import { Calls } from '../../../test/support/account/events.ts';

const asked = ['user', 'Please make the mill grind rye without noise'] as const;

describe('a check that changes the files', () => {
  const complaint = 'src/wheel.ts:3:7 lint/noRust ━━━━━━\n\nFound 2 errors.';
  const ends = (calls: Calls) =>
    accountOf(asked, calls).checks.map(({ name, end, isFixed }) => [name, end, isFixed]);

  it.each(['npm run lint:fix', 'npx biome check --write .', 'npx eslint --fix src'])(
    'may fail: %s',
    (command) => {
      const bad = new Calls().run(command, complaint, true);
      expect(ends(bad)).toMatchObject([[expect.any(String), 'failed', false]]);
      expect(ends(bad.run(command, ''))).toMatchObject([[expect.any(String), 'passed', false]]);
    },
  );

  it('is proven by the one that only looks, and fails behind a pipe too', () => {
    const bad = () => new Calls().run('bun run lint:fix 2>&1 | tail -3', complaint);
    expect(ends(bad())).toEqual([['bun run lint:fix', 'failed', false]]);
    const proven = bad().run('bun run lint', 'Checked 9 files in 2ms. No fixes applied.');
    expect(ends(proven)).toEqual([['bun run lint', 'passed', false]]);
    expect(ends(proven.run('bun run lint:fix 2>&1 | tail -3', complaint))).toEqual([
      ['bun run lint', 'failed', false],
    ]);
  });
});

describe('a prompt', () => {
  const requests = (...parts: readonly Part[]) => accountOf(...parts).requests.map(({ text }) => text);
  const reply = ['assistant', 'The bell rings once now, because I took the second rope away.'] as const;

  it('that was stopped and sent again in more words is one', () => {
    const first = ['user', 'but this means both bells ring at night?'] as const;
    const again = [
      'user',
      'but this means the bells ring at night, or does the miller hear only one?',
    ] as const;
    expect(requests(asked, reply, first, again, reply)).toEqual([asked[1], again[1]]);
  });

  it('that differs by a number is another one', () => {
    const both = [1, 2].map((gate) => ['user', `Now look at gate number ${gate}, please.`] as const);
    expect(requests(asked, reply, ...both)).toEqual([asked[1], ...both.map(([, text]) => text)]);
  });

  it('that begins the work is its own, where the one before was only talked about', () => {
    const tweak = ['user', 'Do not paint the name on the wheel'] as const;
    const go = ['user', 'Implement the plan.'] as const;
    const work = new Calls().edit('src/wheel.ts', 'a', 'b');
    expect(requests(asked, reply, tweak, reply, go, work, reply)).toEqual([asked[1], tweak[1], go[1]]);
    expect(requests(asked, reply, go, work, reply)).toEqual([asked[1]]);
    expect(requests(asked, work, reply, go, work, reply)).toEqual([asked[1]]);
  });

  it('that is a slash command with a word is called by both', () =>
    expect(requests(asked, reply, ['user', '/review this wheel'], reply)).toEqual([
      asked[1],
      '/review this wheel',
    ]));

  it('that picks an option is a decision, and no request of its own', () => {
    const offer = [
      'assistant',
      'Two ways:\n\n**Option A**: oak, which lasts\n\n**Option B**: pine, which is cheap',
    ] as const;
    const account = accountOf(
      asked,
      offer,
      ['user', 'I like option B'],
      new Calls().edit('a.ts', 'a', 'b'),
      reply,
    );
    expect(account.requests.map(({ text, files }) => [text, files])).toEqual([[asked[1], 1]]);
    expect(account.decided).toMatchObject([{ text: expect.stringContaining('pine') }]);
  });

  it('counts only the files that are left of it', () => {
    const work = new Calls()
      .edit('src/wheel.ts', 'a', 'b')
      .edit('src/rope.ts', 'a', 'b')
      .edit('src/rope.ts', 'b', 'a');
    expect(accountOf(asked, work).requests).toMatchObject([{ files: 1 }]);
  });
});

it('a session that ends with a plan does not end in the middle of the work', () => {
  const ended = (calls: Calls) => {
    const {
      ended: { during },
      outcome,
    } = accountOf(asked, calls);
    return [during.length, outcome?.text];
  };
  const shown = () =>
    new Calls().read('src/mill.ts').fail('ExitPlanMode', { plan: '# Quiet mill' }, 'rejected');
  const planned = [0, 'Planned: Quiet mill'];
  expect(ended(shown())).toEqual(planned);
  expect(ended(new Calls().plan('# Plan: Quiet mill'))).toEqual(planned);
  expect(ended(shown().read('src/gate.ts'))).toEqual([1, undefined]);
});

it('a step that runs checks is open when they ran before the plan', () => {
  const open = (calls: Calls) => accountOf(asked, calls).plan?.open;
  const work = () => new Calls().edit('src/wheel.ts', 'a', 'b').run('npm test', '3 passed');
  const steps = ['Oil the axle', 'Run tests and lint'];
  expect(open(work().steps(0, ...steps))).toEqual(steps);
  expect(
    open(
      work()
        .steps(0, ...steps)
        .run('npm test', '3 passed'),
    ),
  ).toEqual(['Oil the axle']);
});

it('words that only put a call off are no decision', () => {
  const decided = (words: string) =>
    accountOf(asked, new Calls().refuse('npm run slow', words)).decided.length;
  for (const words of ["I'll tell you later.", 'wait a moment', 'hold on']) expect(decided(words)).toBe(0);
  for (const words of [
    "I'll do it myself, use the small mill",
    'stop grinding at night, and use the small mill',
  ])
    expect(decided(words)).toBe(1);
});

it('a commit in other words is no work of which nothing is known', () => {
  const reply = ['assistant', 'The wheel turns without noise, because the axle is oiled.'] as const;
  const commit = new Calls().run(
    'rm -rf /tmp/x && git commit -m "Oil"',
    '[main 1a2b3c4] Oil\n 1 file changed',
  );
  const { outcome } = accountOf(asked, new Calls().edit('a.ts', 'a', 'b'), reply, ['user', 'commi'], commit);
  expect(outcome).toMatchObject({ text: reply[1], isEarlier: false });
});

it('a file has one name, whatever folder its command ran in', () => {
  const calls = new Calls()
    .edit('web/mill.ts', 'a', 'b')
    .run('sed -i s/b/c/ mill.ts')
    .run('cd web && sed -i s/c/d/ mill.ts');
  calls.events[1] = { ...calls.events[1], cwd: '/p/web' } as (typeof calls.events)[1];
  expect(accountOf(asked, calls).files.map(({ path, edits }) => [path, edits])).toEqual([['web/mill.ts', 3]]);
});

it('a symbol is changed by what stands in it, not by what stands below it', () => {
  const symbols = (before: string, after: string) =>
    accountOf(asked, new Calls().edit('src/mill.ts', before, after)).files[0]?.symbols;
  const closed = 'export function turn() {\n  oil();\n}';
  expect(symbols(closed, `${closed}\n\nexport function stop() {\n  brake();\n}`)).toEqual(['stop']);
  expect(symbols(closed, closed.replace('oil();', 'oil();\n  count();'))).toEqual(['turn']);
  expect(
    symbols("const path = require('path');", "const path = require('path');\nconst fs = require('fs');"),
  ).toEqual(['fs']);
  expect(symbols('import {\n  type Rye,\n}', 'import {\n  type Rye,\n  type Oats,\n}')).toEqual([]);
  const two = 'class Mill {\n  turn() {\n    oil();\n  }\n';
  expect(symbols(two, `${two}\n  speed = 2;\n`)).toEqual(['Mill']);
});

it('a folder that is removed takes the files with it that were made in it', () => {
  const made = () => new Calls().write('try/a.ts', 'const sack = 1;').write('try/b.ts', 'const rope = 1;');
  const files = (calls: Calls) => accountOf(asked, calls).files.map(({ path, isGone }) => [path, isGone]);
  expect(files(made().run('rm -rf try', ''))).toEqual([]);
  expect(files(new Calls().edit('try/a.ts', 'a', 'b').run('rm -rf try/', ''))).toEqual([['try/a.ts', true]]);
});

it('a file whose name is like that of a folder is gone when it was removed', () => {
  const gone = (calls: Calls) => accountOf(asked, calls).files.map(({ path, isGone }) => [path, isGone]);
  const made = () => new Calls().edit('Makefile', 'all:', 'all: wheel');
  expect(gone(made().run('rm -rf Makefile', ''))).toEqual([['Makefile', true]]);
  const patched = made();
  const [edit] = patched.events;
  const input = '*** Begin Patch\n*** Delete File: Makefile\n*** Delete File: LICENSE\n*** End Patch';
  if (edit !== undefined)
    patched.events.push({ ...edit, id: 'ev_2', tool: 'apply_patch', input, output: 'ok' });
  expect(gone(patched)).toEqual(
    expect.arrayContaining([
      ['Makefile', true],
      ['LICENSE', true],
    ]),
  );
});

it('has left what a reply names as its blockers', () => {
  const reply = 'The mill grinds rye.\n\nBlocker:\n\n- `git push` timed out, so nothing is published.';
  const { left } = accountOf(asked, new Calls().edit('a.ts', 'a', 'b'), ['assistant', reply]);
  expect(left.map(({ text }) => text)).toEqual(['`git push` timed out, so nothing is published.']);
});
