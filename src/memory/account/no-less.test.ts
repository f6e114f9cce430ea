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
    expect(ends(bad().run('bun run lint', 'Checked 9 files in 2ms. No fixes applied.'))).toContainEqual([
      'bun run lint:fix',
      'failed',
      true,
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
});

it('a session that ends with a plan does not end in the middle of the work', () => {
  const ended = (calls: Calls) => accountOf(asked, calls).ended.during.length;
  const shown = () =>
    new Calls().read('src/mill.ts').fail('ExitPlanMode', { plan: '# Quiet mill' }, 'rejected');
  expect(ended(shown())).toBe(0);
  expect(ended(new Calls().plan('# Quiet mill'))).toBe(0);
  expect(ended(shown().read('src/gate.ts'))).toBe(1);
});

it('a folder that is removed takes the files with it that were made in it', () => {
  const made = () => new Calls().write('try/a.ts', 'const sack = 1;').write('try/b.ts', 'const rope = 1;');
  const files = (calls: Calls) => accountOf(asked, calls).files.map(({ path, isGone }) => [path, isGone]);
  expect(files(made().run('rm -rf try', ''))).toEqual([]);
  expect(files(new Calls().edit('try/a.ts', 'a', 'b').run('rm -rf try/', ''))).toEqual([['try/a.ts', true]]);
});
