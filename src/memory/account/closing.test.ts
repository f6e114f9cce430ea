import { describe, expect, it } from 'vitest';
import { accountOf } from '../../../test/support/account/account-of.ts';
import { Calls } from '../../../test/support/account/events.ts';

const asked = ['user', 'Work on the mill and close its four tickets'] as const;
const work = (file = 'src/mill.ts') => new Calls().edit(file, 'a', 'b');
const done = (file: string) => work(file).run('git commit -m Oil', '[main 1a2b3c4] Oil');
const table = [
  'All done. Here is the summary:\n\n## Mill: complete\n\nAll 3 tasks completed and pushed:\n',
  '| Commit | Task | Description |\n|---|---|---|',
  '| `1a2b3c4` | mill.1 | Enriched the grinder with sieves |',
  '| `2b3c4d5` | mill.2 | Rebuilt the wheel panel |',
  '| `3c4d5e6` | mill.3 | Integrated the bell for rye |',
].join('\n');

describe('a closing report', () => {
  it('may be a table, without the columns that only number its rows', () =>
    expect(accountOf(asked, work(), ['assistant', table]).outcome?.text).toBe(
      'Enriched the grinder with sieves \u2022 Rebuilt the wheel panel \u2022 Integrated the bell for rye',
    ));

  it('stays when a late notice brings a few words more, not a question', () => {
    const late = (words: string) =>
      accountOf(asked, work(), ['assistant', table], ['assistant', words]).outcome?.text ?? '';
    expect(late('The earlier test run has ended too. No action needed.')).toContain('Rebuilt the wheel');
    expect(
      accountOf(asked, work(), ['assistant', table], ['assistant', 'Shall I push?']).question?.text,
    ).toBe('Shall I push?');
  });

  it('that is long says something rather than nothing', () => {
    const said = (text: string) => accountOf(asked, work(), ['assistant', text]).outcome?.text ?? '';
    const items = ['wheel', 'axle', 'bell', 'gate'].map((one) =>
      `- 6 unit tests for the ${one}`.padEnd(110, '.'),
    );
    const first = 'All 12 tests pass, lint clean, types clean.';
    expect(said(first)).toBe('');
    expect(said(`${first}\n\n**Tests added:**\n${items.join('\n')}`)).not.toBe('');
  });

  it('of a review has its verdict', () =>
    expect(
      accountOf(asked, done('a.ts'), [
        'assistant',
        'Verdict landed and pushed. The cycle is running.\n\n## REJECT \u2014 2 Major, 6 Minor\n\nThe wheel holds.',
      ]).outcome?.text,
    ).toBe('Verdict landed and pushed. REJECT \u2014 2 Major, 6 Minor'));
});

describe('what takes up a proposal', () => {
  const first = [asked, done('a.ts'), ['assistant', 'The four tickets are closed and committed.']] as const;
  const texts = (prompt: string, calls = work('b.ts')) =>
    accountOf(...first, ['user', prompt], calls).requests.map(({ text }) => text);

  it.each([
    '\u00d6nerinle devam edelim',
    'go ahead with what you suggest',
    'Mach mit deinem Vorschlag weiter',
    'continue with your recommendation',
    '\u6309\u4f60\u7684\u5efa\u8bae\u505a',
  ])('behind finished work is a request: %s', (prompt) => {
    expect(texts(prompt)).toEqual([asked[1], prompt]);
    expect(accountOf(...first, ['user', prompt], work('b.ts')).last?.text).toBe(prompt);
  });

  it('is none for which nothing was changed, nor in the middle of the work, nor a plain yes', () => {
    const prompt = 'go ahead with what you suggest';
    expect(texts(prompt, new Calls().read('a.ts'))).toEqual([asked[1]]);
    expect(texts('yes, go on')).toEqual([asked[1]]);
    const { requests, goal } = accountOf(asked, work(), ['user', prompt], work('b.ts'));
    expect(requests).toHaveLength(1);
    expect(goal?.text).toBe(asked[1]);
  });
});

it('a commit with a line in the changelog leaves the outcome what it was', () => {
  const { outcome } = accountOf(
    ...[asked, work(), ['assistant', 'The mill grinds rye without noise now.'] as const],
    ...[['user', 'then commit, and update changelog'] as const, done('CHANGELOG.md')],
    ['assistant', 'Committed as `1a2b3c4`, the changelog is updated.'],
  );
  expect(outcome).toMatchObject({ isEarlier: false, text: 'The mill grinds rye without noise now.' });
});

describe('of the last work', () => {
  const first = [asked, work(), ['assistant', 'The mill grinds rye without noise now.']] as const;
  const outcome = (...replies: string[]) =>
    accountOf(
      ...first,
      ['user', 'Please answer the open threads of the review, and change what they ask for'],
      ...[work('b.ts'), ...replies.map((one) => ['assistant', one] as const)],
    ).outcome;

  it('the words with which it ended are the outcome, where they report nothing', () => {
    const said = 'All review threads addressed.';
    expect(outcome(`${said} No open threads remaining.`)).toMatchObject({ text: said, isEarlier: false });
  });

  it('that it goes on is none', () =>
    expect(outcome('Both running, the design review and the build.')).toMatchObject({ isEarlier: true }));
});

it('an offer that begins the last line is an open question, also in other languages', () => {
  const questionOf = (text: string) => accountOf(asked, work(), ['assistant', text]).question?.text;
  for (const offer of ['Merge edeyim mi?', 'Shall I merge it?', 'Soll ich das mergen?'])
    expect(questionOf(`The wheel is oiled.\n\n${offer} Then v2.1.0 goes out.`)).toBe(offer);
  expect(questionOf('Why was it loud? The axle was dry.')).toBeUndefined();
});

it('a question that was answered is none, however long the session is', () => {
  const talk = Array.from({ length: 501 }, () => ['user', 'How loud is the mill now?'] as const);
  const asks = ['assistant', 'Loud. Shall I oil it?'] as const;
  expect(accountOf(...talk, asks).question?.text).toBe('Shall I oil it?');
  expect(accountOf(...talk, asks, ['user', 'no'], ['assistant', 'Fine.']).question).toBeNull();
});

it('a question of a call that nobody answered is open, with what it offers', () => {
  const unanswered = () => {
    const calls = new Calls().ask('Shall I skip the hook?', 'Yes, skip it');
    calls.events.splice(
      0,
      1,
      ...calls.events.map((one) => ({ ...one, output: '', unfinished: true as const })),
    );
    return calls;
  };
  expect(accountOf(asked, work(), unanswered()).question?.text).toBe('Shall I skip the hook? (Yes, skip it)');
  expect(accountOf(asked, work(), unanswered(), ['user', 'no']).question).toBeNull();
  expect(accountOf(asked, work(), new Calls().ask('Shall I skip the hook?', 'Yes')).question).toBeNull();
});
