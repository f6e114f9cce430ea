import { expect, test } from 'vitest';
import { asksWishes } from './kinds.ts';
import { looksBack } from './looks-back.ts';
import { isProductName } from './missing-names.ts';

test.each([
  ['why did we pin the driver', true],
  ['TypeError: cannot read properties of undefined', true],
  ['fix: pin the driver', false],
  ['can you look at why the driver fails?', false],
  ['first line\nwhy?', false],
])('whether %j looks back: %s', (query, expected) => expect(looksBack(query)).toBe(expected));

test.each([
  ['what did the user want on the label', true],
  ['which tests does the reviewer dislike', true],
  ["where is the user's repository cloned", false],
  ['why was the cache dropped', false],
  ['who asked for the merge request', true],
  ['was the racy test in our pull request', false],
])('whether %j asks for wishes: %s', (query, expected) => expect(asksWishes(query)).toBe(expected));

test('names of products are not words that have synonyms', () => {
  expect(['kubernetes', 'rabbitmq', 'cache', 'hammering'].map(isProductName)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
