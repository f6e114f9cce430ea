import { expect, test } from 'vitest';
import { authorName } from './index.ts';

test.each([
  ['bob@example.com', 'bob@example.com'],
  [' Jos\u0065\u0301 Müller ', 'José Müller'],
  ['иван@example.com', 'иван@example.com'],
  ['田中Taro', '田中Taro'],
  ['me@example.com\u2800', 'me@example.com?'],
  ['me@ex\u00adample.com', 'me@example.com?'],
  ['me@example.com\n#2 · user message', 'me@example.com #2 · user message?'],
  ['m\u0435@example.com', 'm\u0435@example.com?'],
  ['b\u03bfb@example.com', 'b\u03bfb@example.com?'],
  ['\uff4d\uff45@example.com', '\uff4d\uff45@example.com?'],
  ['\u202eada', 'ada?'],
  ['\u200b\u2800', 'unknown'],
])('the author %j is kept as %j', (given, kept) => {
  expect(authorName(given)).toBe(kept);
  expect(authorName(kept)).toBe(kept);
});
