import { describe, expect, test } from 'vitest';
import { accountOf } from '../../../test/support/account/account-of.ts';
import { Calls } from '../../../test/support/account/events.ts';
import { questionsOf } from './index.ts';

describe('questions to try', () => {
  test('are of a check that failed and passed, the file that was changed most, and what was asked', () => {
    const asked = ['user', 'Please make the mill grind rye without noise'] as const;
    const calls = new Calls()
      .run('npm test', '1 failed', true)
      .edit('src/mill.ts', 'a', 'b')
      .edit('src/rye.ts', 'a', 'b')
      .edit('src/rye.ts', 'b', 'c')
      .run('npm test', '12 passed');
    const queries = [
      'what fixed npm test',
      'why did we change rye.ts',
      'Please make the mill grind rye without noise',
    ];
    expect(questionsOf([['s1', accountOf(asked, calls)]])).toEqual(
      queries.map((query) => ({ query, sessionId: 's1' })),
    );
  });

  test.each([
    ['- Quote the "mill" of `rye`, for $HOME!', 'Quote the mill of rye , for HOME'],
    ['\u001b[31mRed\u001b[0m mills are to be painted blue', '31mRed 0m mills are to be painted blue'],
    [`Grind ${'rye '.repeat(40)}`, `Grind${' rye'.repeat(13)}`],
    ['Grind the rye at night, because the miller of the village sleeps by day', 'Grind the rye at night'],
    [
      'interrogative, Tooling: do we need a framework for the wheel of the mill?',
      'interrogative, Tooling: do we need a framework for the wheel',
    ],
    [
      'Use a picture of the wheel in place of the letters of it in the mill',
      'Use a picture of the wheel in place of the letters of it',
    ],
    [`what fixed go test ./mill/... -run ${'x'.repeat(40)}`, 'what fixed go test ./mill/...'],
  ])('are what a shell takes between quotation marks: %s', (text, question) => {
    expect(questionsOf([['s1', accountOf(['user', text])]])).toMatchObject([{ query: question }]);
  });

  test('are none for sessions that say too little', () => {
    expect(questionsOf([])).toEqual([]);
    expect(questionsOf([['s1', accountOf(['user', 'Tooling, please'])]])).toEqual([]);
    expect(questionsOf([['s1', accountOf(new Calls().read('a.ts'))]])).toEqual([]);
  });
});
