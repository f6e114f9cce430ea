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
    expect(questionsOf([accountOf(asked, calls)])).toEqual([
      'what fixed npm test',
      'why did we change rye.ts',
      'Please make the mill grind rye without noise',
    ]);
  });

  test.each([
    ['- Quote the "mill" of `rye`, for $HOME!', 'Quote the mill of rye , for HOME'],
    ['\u001b[31mRed\u001b[0m mills are to be painted blue', '31mRed 0m mills are to be painted blue'],
    [`Grind ${'rye '.repeat(40)}`, `Grind${' rye'.repeat(13)}`],
  ])('are what a shell takes between quotation marks: %s', (text, question) => {
    expect(questionsOf([accountOf(['user', text])])).toEqual([question]);
  });

  test('are none for sessions that say too little', () => {
    expect(questionsOf([])).toEqual([]);
    expect(questionsOf([accountOf(new Calls().read('a.ts'))])).toEqual([]);
  });
});
