import { describe, expect, it } from 'vitest';
import { accountOf, type Part } from '../../../test/support/account/account-of.ts';
import { Calls } from '../../../test/support/account/events.ts';

const asked = ['user', 'Please make the mill grind rye without noise'] as const;
const requests = (...parts: readonly Part[]) =>
  accountOf(asked, ...parts).requests.map(
    ({ text, calls, files }) => `${text.slice(0, 11)} ${calls} ${files}`,
  );

describe('the files of a request', () => {
  const removed = (calls: Calls) =>
    calls.run('git commit -F message.txt; rm message.txt', '[main 1a2b3c4] x');

  it('are not those that it made and removed', () => {
    const calls = new Calls().edit('mill.ts', 'a', 'b').write('message.txt', 'Oil the axle');
    expect(requests(removed(calls))).toEqual(['Please make 3 1']);
  });

  it('are those that it removed of others', () => {
    const before = new Calls().edit('mill.ts', 'a', 'b').write('message.txt', 'Oil the axle');
    const then = ['user', 'Remove the message and tell me why it was there'] as const;
    expect(requests(before, then, removed(new Calls()))).toEqual(['Please make 2 1', 'Remove the  1 1']);
  });

  it('are also those that its commands wrote, as a later commit shows', () => {
    const made = new Calls().run('python3 draw.py wheel.png', 'drawn');
    const then = ['user', 'Now commit it and tell me what is in it'] as const;
    const commit = new Calls().run('git add wheel.png && git commit -m "Draw it"', '[main 1a2b3c4] Draw it');
    expect(requests(made, then, commit)).toEqual(['Please make 1 1', 'Now commit  1 0']);
  });
});

describe('a session that is resumed', () => {
  const work = (path: string) => new Calls().edit(path, 'a', 'b');
  const question = ['user', 'How many sacks of rye are left?'] as const;
  const answer = ['assistant', 'Seven sacks of rye are left in the mill.'] as const;
  const report = [
    'assistant',
    'The mill grinds rye without noise: the axle is oiled and the wheel fixed.',
  ] as const;

  it('goes on with the work, not with what was asked and answered in between', () => {
    const parts = [
      work('mill.ts'),
      question,
      answer,
      ['user', 'session resumed.'],
      work('axle.ts'),
      report,
    ] as const;
    expect(requests(...parts)).toEqual(['Please make 2 2', 'How many sa 0 0']);
    const { requests: all, outcome } = accountOf(asked, ...parts);
    expect([all[0]?.seq, all[0]?.says?.text]).toEqual([outcome?.request, outcome?.text]);
  });

  it('goes on with the last request where nothing was changed', () => {
    expect(requests(work('mill.ts'), question, ['user', 'session resumed.'], new Calls().run('ls'))).toEqual([
      'Please make 1 1',
      'How many sa 1 0',
    ]);
  });
});
