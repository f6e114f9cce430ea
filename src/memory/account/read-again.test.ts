import { describe, expect, it } from 'vitest';
import { accountOf, type Part } from '../../../test/support/account/account-of.ts';
import { Calls } from '../../../test/support/account/events.ts';
import { endingOf } from './ended.ts';

const asked = ['user', 'Please make the mill grind rye without noise'] as const;
const edited = (path: string) => new Calls().edit(path, 'a', 'b');

describe('a command worth running again', () => {
  const listed = (calls: Calls) => accountOf(asked, calls).commands.map(({ command, end }) => [command, end]);

  it('is none of which only selected lines were seen, unless the pipe fails with it', () => {
    const calls = new Calls()
      .run('mix weigh --all 2>&1 | grep sack', 'sack 3 is too heavy')
      .run('set -o pipefail; ./weigh.sh | grep sack', 'sack 1')
      .run('./grind.sh | tail -2', 'ground');
    expect(listed(calls)).toEqual([
      ['./grind.sh | tail -2', 'passed'],
      ['set -o pipefail; ./weigh.sh | grep sack', 'passed'],
    ]);
  });

  it('is listed once, whatever it is given', () => {
    const calls = new Calls()
      .run('./tools/sacks.sh add 7 rye')
      .run('./tools/sacks.sh add 8 "old oats"')
      .run('./tools/sacks.sh weigh 8')
      .run('npm run dust && npm test', '12 passed');
    expect(listed(calls).map(([command]) => command)).toEqual([
      'npm run dust && npm test',
      './tools/sacks.sh weigh 8',
      './tools/sacks.sh add 8 "old oats"',
    ]);
  });
});

describe('what the user said', () => {
  it('is not what the client says for him', () => {
    const words = 'The user wants to clarify these questions.\n    Questions asked:\n- "Which grain?"';
    const { decided, requests, last } = accountOf(asked, new Calls().refuse('ask', words), ['user', words]);
    expect([decided, requests.length, last]).toEqual([[], 1, null]);
  });

  it('may be that he has looked', () => {
    const plan =
      'Implement the following plan:\n\n# Quiet mill\n\nLess noise.\n\n## Verification\n\n- Manual test: listen at night';
    const byHand = (...parts: readonly Part[]) => accountOf(['user', plan], ...parts).byHand;
    expect(byHand()).toHaveLength(1);
    expect(byHand(['user', 'continue'])).toHaveLength(1);
    expect(byHand(['user', 'Great.'])).toEqual([]);
    expect(byHand(['user', 'Paint the door'])).toEqual([]);
    expect(byHand(['user', "I've tested it and the bell rings at night"])).toEqual([]);
    expect(byHand(['user', 'I ran the mill all night: the gate shuts'])).toEqual([]);
  });

  it('asks for nothing where it only agrees, also when work goes on', () => {
    const { requests, last } = accountOf(
      asked,
      edited('a.ts'),
      ['user', 'Exactly, we oil the wheel to keep the neighbours.'],
      edited('b.ts'),
      ['user', 'exactly, but the gate still squeaks'],
    );
    expect(requests.map(({ files }) => files)).toEqual([2, 0]);
    const praised = accountOf(
      asked,
      edited('a.ts'),
      ['assistant', 'Added oil to the axle of the wheel.'],
      ['user', 'Exactly right. The mill is for the village.'],
      ['assistant', 'The village is the reason, because it was added to the law of mills.'],
    );
    expect(praised.requests.map(({ says }) => says?.text)).toEqual(['Added oil to the axle of the wheel.']);
    expect(last?.text).toContain('squeaks');
  });
});

describe('what came of it', () => {
  const report = 'The wheel is oiled, and the **axle** turns without noise now, at night as well.';

  it('is not the answer to a notice, nor that all is well', () => {
    for (const later of [
      'Background task completed successfully: all 15 tests of the wheel pass.',
      'The background build finished. Nothing is left.',
    ])
      expect(
        accountOf(asked, edited('a.ts'), ['assistant', report], new Calls().read('out.txt'), [
          'assistant',
          later,
        ]).outcome?.text,
      ).toContain('axle');
    expect(
      accountOf(asked, edited('a.ts'), [
        'assistant',
        'All clean — 24 tests pass, 0 failures, lint passes with no errors.',
      ]).outcome,
    ).toBeNull();
  });

  it('is of the last work that somebody reported, not of a question after it', () => {
    const question = ['user', 'Why is the river brown in spring, and not in autumn?'] as const;
    const answer = ['assistant', 'The snow takes the loam of the upper fields along.'] as const;
    const more = [['user', 'Then add a bell to the gate'], edited('b.ts')] as const;
    const looked = new Calls().run('gh pr diff 7').run("gh api repos/m/mill/pulls/7 --jq '.body'");
    const parts = [edited('a.ts'), ['assistant', report], question, looked, answer] as const;
    const { outcome } = accountOf(asked, ...parts, ...more);
    expect(outcome).toMatchObject({ text: expect.stringContaining('axle'), isEarlier: true });
  });
});

it('is not committed by a commit before its last change, where git knows nothing of that', () => {
  const account = accountOf(
    asked,
    new Calls().edit('a.ts', 'a', 'b').run('git commit -m Oil', '[main 1a2b3c4] Oil').edit('b.ts', 'a', 'b'),
  );
  expect(endingOf(account, { uncommitted: [], committed: [] })).toBe('changed');
  const committed = [{ hash: '2b3c4d5', subject: 'Ring', files: ['b.ts'] }];
  expect(endingOf(account, { uncommitted: [], committed })).toBe('committed');
  const more = accountOf(
    asked,
    new Calls().edit('a.ts', 'a', 'b').edit('b.ts', 'a', 'b').edit('c.ts', 'a', 'b'),
  );
  expect(endingOf(more, { uncommitted: [], committed })).toBe('changed');
});

it('has no file whose path was cut', () => {
  const path = `mill/${'wheel/'.repeat(4)}\n[... 98 characters cut by memd ...]\naxle.ts`;
  expect(accountOf(asked, edited(path), edited('a.ts')).files.map((file) => file.path)).toEqual(['a.ts']);
});
