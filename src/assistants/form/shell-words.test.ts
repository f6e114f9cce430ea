import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { quoted, unquoted } from './shell-words.ts';

const piece = fc.constantFrom(
  'a',
  '/',
  ' ',
  "'",
  '"',
  '$',
  '$HOME',
  '${X}',
  '`',
  '\\',
  '\n',
  '*',
  '~',
  '!',
  ';',
  'é',
  '#',
);
const words = fc.array(
  fc.array(piece, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
  { minLength: 1, maxLength: 4 },
);

test('words come out of a shell as they went in', () => {
  fc.assert(
    fc.property(words, (given) => {
      const line = `printf '%s\\0' ${quoted(given)}`;
      expect(execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' })).toBe(
        given.map((word) => `${word}\0`).join(''),
      );
    }),
    { numRuns: runs(20) },
  );
});

test('and out of our own reading of the line', () => {
  fc.assert(
    fc.property(words, (given) => {
      expect(unquoted(quoted(given))).toEqual(given);
    }),
  );
});

test("no client's own variables are left in a line", () => {
  fc.assert(
    fc.property(words, (given) => {
      expect(quoted(given)).not.toMatch(/\$[A-Za-z_{]/);
    }),
  );
});

test('what a user wrote by hand is read', () => {
  expect(unquoted(`node "/a b/\\$x/capture.cjs" --client codex 2>/dev/null`)).toEqual([
    ...['node', '/a b/$x/capture.cjs', '--client', 'codex', '2>/dev/null'],
  ]);
  expect(unquoted('  ')).toEqual([]);
  expect(unquoted(`a\\ b ''`)).toEqual(['a b', '']);
});
