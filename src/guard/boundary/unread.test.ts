import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { compileGlob } from './glob.ts';
import { hasUnread, mayFit, nameOf, resolveUnread, unread } from './unread.ts';

const { any, name, number } = unread;

test.each<[string, string, boolean]>([
  [any, '**/.env', true],
  [`${any}/a`, '**/.env', false],
  [`${any}/a`, 'secret/**', true],
  [`${any}.env`, '**/.env', true],
  [`src/${name}`, '**/.env', true],
  [`src/${name}.ts`, '**/.env', false],
  [`src/part-${name}`, '**/.env', false],
  [`src/part-${name}/${name}`, '**/.env', true],
  [`src/part-${name}`, 'src/**/.env', false],
  [`src/${name}`, 'secret/**', false],
  [`out-${number}.log`, '**/*.log', true],
  [`tmp/x.${number}`, '**/*.key', false],
  [`se${name}`, 'secret', true],
  [`a${name}`, '{a,b}c', true],
  [`out-${number}.log`, '**/*.{pem,key}', false],
  [`out${name}`, '{out,in}.{pem,key}', true],
])('%j may be what %s fits: %s', (text, glob, expected) => expect(mayFit(text, glob)).toBe(expected));

test('whatever is put for the unread parts, a glob that fits it may fit the text', () => {
  const plain = fc.constantFrom('a', 'b', '.', '/', '.env', 'secret', 'x-1');
  const mark = fc.constantFrom(any, name, number);
  const glob = fc
    .array(fc.constantFrom('**/', '*', '?', '[ab]', 'a', '.env', 'secret', '/', '/**', '{a,b}'), {
      minLength: 1,
      maxLength: 5,
    })
    .map((parts) => parts.join('').replace(/\/+/g, '/'));
  const standsFor: Readonly<Record<string, RegExp>> = {
    [any]: /^/,
    [name]: /^[^/]*$/,
    [number]: /^[\d:-]*$/,
  };
  fc.assert(
    fc.property(
      fc.array(fc.oneof(plain, mark), { minLength: 1, maxLength: 5 }),
      fc.array(fc.oneof(plain, fc.constantFrom('', '1', '12:3', 'a/b')), { minLength: 5, maxLength: 5 }),
      glob,
      (parts, values, pattern) => {
        const filled = parts.map((part, at) => {
          const value = values[at] ?? '';
          return !hasUnread(part) ? part : standsFor[part]?.test(value) === true ? value : '1';
        });
        const path = filled.join('');
        // picomatch reads one slash for several, and lets one stand at the end.
        if (/^\/|\/\/|\/$/.test(path)) return;
        if (compileGlob(pattern)(path)) expect(mayFit(parts.join(''), pattern)).toBe(true);
      },
    ),
    { numRuns: runs(2_000) },
  );
});

test('behind what may be any text nothing before it counts', () => {
  expect(resolveUnread(`src/${any}/../a/./b`, '/app')).toBe(`${any}/a/b`);
  expect(resolveUnread(`../x-${number}/a`, '/app/src')).toBe(`/app/x-${number}/a`);
  expect(resolveUnread('../../a', `${any}/b`)).toBe(`${any}/a`);
  expect(nameOf(`a/b${any}.c`)).toBe(`${name}.c`);
});
