import { expect, test } from 'vitest';
import { fitted, inHome, plural, wrap } from './words.ts';

const narrow = { isTerminal: true, columns: 20 };

test('a number stands in front of one or more', () => {
  expect([plural(1, 'memory'), plural(2, 'memory')]).toEqual(['1 memory', '2 memories']);
  expect([plural(2, 'day'), plural(1_200, 'event')]).toEqual(['2 days', '1,200 events']);
});

test('a style takes no room in a line', () => {
  const styled = '\u001b[33mone\u001b[39m two three four';
  expect(wrap(styled, 14, '').split('\n')).toEqual(['\u001b[33mone\u001b[39m two three', 'four']);
  expect(wrap('one two three four', 14, '').split('\n')).toEqual(['one two three', 'four']);
});

test('a line that is too wide is wrapped after its own indentation, and the others keep their columns', () => {
  const table = 'a   b   c';
  expect(fitted(`${table}\n  one two three four five`, narrow)).toBe(
    `${table}\n  one two three four\n  five`,
  );
});

test('what is quoted stays in one piece where a line has room for it', () => {
  expect(fitted('no memory of "/my home/a" here. Run `memd setup`.', narrow)).toBe(
    'no memory of\n"/my home/a" here.\nRun `memd setup`.',
  );
  expect(fitted('he said "this is more than one line" and 5" of rain', narrow)).toBe(
    'he said "this is\nmore than one line"\nand 5" of rain',
  );
});

test('in a pipe every line is as it was written', () => {
  const text = 'one two three four five six';
  expect(fitted(text, { isTerminal: false, columns: 20 })).toBe(text);
});

test('a word that is longer than the line stays whole', () => {
  expect(fitted('see https://example.com/a/long/address now', narrow)).toBe(
    'see\nhttps://example.com/a/long/address\nnow',
  );
});

test('a path in the home folder is shortened, and one that only holds its name is not', () => {
  const said =
    'in /home/u/a, "/home/u/b" and file=/home/u/c; not /mnt/home/u/d, file:///home/u/e or /home/u2/f';
  expect(inHome(said, { env: { HOME: '/home/u' } })).toBe(
    'in ~/a, "~/b" and file=~/c; not /mnt/home/u/d, file:///home/u/e or /home/u2/f',
  );
  for (const HOME of [undefined, '', '/']) expect(inHome(said, { env: { HOME } })).toBe(said);
});
