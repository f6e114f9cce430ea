import { expect, it } from 'vitest';
import { withoutLineMarks } from './index.ts';

const inOne = (text: string): string => withoutLineMarks(text).replace(/\s+/g, ' ').trim();

it('leaves the words of headings, lists, rules and tables', () => {
  expect(
    inOne('## Suites\n\n| Suite | Result |\n|:--|--:|\n| `a \\| b` |  | 5 passed |\n\n---\n- one\n+ two'),
  ).toBe('Suites Suite · Result `a | b` · 5 passed one two');
  expect(inOne('Clean. | Suite | Exit | |---|:---| | Go | 0 |')).toBe('Clean. | Suite | Exit | | Go | 0 |');
  expect(inOne('+---+---+\n| a | b |\n```ts\nconst a = 1;\n```')).toBe('+---+---+ a · b const a = 1;');
});

it('leaves what only looks like them', () => {
  for (const text of ['--- FAIL: TestMill (0.00s)', 'a || b', '-1 is less', '#40 is open', '|x| > 3'])
    expect(inOne(text)).toBe(text);
});
