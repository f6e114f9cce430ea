import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compile, folded, isIn } from './rules.ts';

const rules = (scope: { allow?: string[]; deny?: string[] }, ...roots: string[]) =>
  compile({ state: 'on', ...scope }, roots.length > 0 ? roots : ['/p']);

describe('allow', () => {
  const isAllowed = (glob: string, location: string): boolean => rules({ allow: [glob] }).allows(location);

  test.each([
    ['src/**', '/p/src/a/b.ts'],
    ['src/**', '/p/src/.hidden/a'],
    ['src/**', '/p/src'],
    ['./src/**', '/p/src/a'],
    ['src/*.{ts,tsx}', '/p/src/a.tsx'],
    ['**', '/p/a'],
    ['**', '/p'],
    ['!docs/**', '/p/src/a'],
    ['/tmp/**', '/tmp/a'],
    ['../sibling/**', '/sibling/a'],
  ])('%s allows %s', (glob, location) => expect(isAllowed(glob, location)).toBe(true));

  test.each([
    ['src/**', '/p/src-evil/a'],
    ['src/**', '/p/SRC/a'],
    ['src/**', '/src/a'],
    ['src/*', '/p/src/a/b'],
    ['src', '/p/src/a'],
    ['src/**', '/p'],
    ['**', '/etc/passwd'],
    ['**/*.ts', '/q/a.ts'],
    ['!docs/**', '/etc/passwd'],
    ['/src/**', '/p/src/a'],
  ])('%s does not allow %s', (glob, location) => expect(isAllowed(glob, location)).toBe(false));

  test('without it everything is allowed, with an empty one nothing', () => {
    expect(rules({}).allows('/anywhere')).toBe(true);
    expect(rules({ allow: [] }).allows('/p/a')).toBe(false);
  });

  test('a folder on the way to what is allowed may be made', () => {
    const { allowsBelow } = rules({ allow: ['src/deep/*.ts'] });
    expect(['/p', '/p/src', '/p/src/deep'].map(allowsBelow)).toEqual([true, true, true]);
    expect(['/p/src-evil', '/p/other', '/p/src/deeper', '/'].map(allowsBelow)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('deny', () => {
  const isDenied = (glob: string, location: string): boolean =>
    rules({ deny: [glob] }).denying(location) === glob;

  test.each([
    ['**/.env*', '/p/.env'],
    ['**/.env*', '/p/a/b/.env.local'],
    ['**/.env*', '/p/a/.ENV'],
    ['**/.env*', '/home/u/.env'],
    ['.env', '/p/.Env'],
    ['secrets', '/p/secrets/a/b'],
    ['secrets/', '/p/secrets/a'],
    ['./secrets', '/p/secrets/a'],
    ['/secrets', '/p/secrets'],
    ['/etc/**', '/etc/passwd'],
    ['caf\u00e9/**', '/p/cafe\u0301/a'],
    ['cafe\u0301/**', '/p/CAF\u00c9/a'],
    ['secret\u017f', '/p/secrets'],
    ['.git/**', '/p/.g\u200cit/config'],
    ['stra\u00dfe', '/p/STRASSE'],
    ['!src/**', '/p/a'],
  ])('%s denies %s', (glob, location) => expect(isDenied(glob, location)).toBe(true));

  test.each([
    ['secrets', '/p/secrets-not'],
    ['*.md', '/p/docs/a.md'],
    ['docs/*', '/p/docs/a/b'],
    ['**/tmp/**', '/p/src/a'],
  ])('%s does not deny %s', (glob, location) => expect(isDenied(glob, location)).toBe(false));

  test('of a project below a folder of that name is not its own', () => {
    expect(rules({ deny: ['**/tmp/**'] }, '/tmp/p').denying('/tmp/p/a')).toBeNull();
  });

  test('holds for every case and normal form of the name', () => {
    const name = fc.stringMatching(/^[a-zà-ÿ]{1,12}$/);
    const spelled = fc.constantFrom<(text: string) => string>(
      (text) => text.toUpperCase(),
      (text) => text.normalize('NFD'),
      (text) => text.toUpperCase().normalize('NFD'),
    );
    fc.assert(
      fc.property(name, spelled, (text, spell) => {
        expect(isDenied(`a/${text}/**`, `/p/A/${spell(text)}/x`)).toBe(true);
        expect(folded(spell(text))).toBe(folded(text));
      }),
    );
  });
});

test('a path in a nested root is counted from it', () => {
  const { allows } = rules({ allow: ['src/**'] }, '/p', '/p/trees/one');
  expect(['/p/src/a', '/p/trees/one/src/a', '/p/trees/src/a'].map(allows)).toEqual([true, true, false]);
});

test('isIn is about folders, not letters', () => {
  expect([isIn('/src', '/src'), isIn('/src/a', '/src'), isIn('/a', '/')]).toEqual([true, true, true]);
  expect([isIn('/src-evil', '/src'), isIn('/', '/src')]).toEqual([false, false]);
});

// The test's own limit is the only clock: undefended, the first of these alone takes longer.
describe('a glob that would take for ever', () => {
  const long = `/p/${'a'.repeat(200)}`;
  const endless = ['*a*a*a*a*a*b', '**/*a*a*a*a*b', '{a,aa}{a,aa}*{a,aa}*a*a*b'];

  test.each(endless)('%s denies what it cannot be asked in time, and allows none of it', (glob) => {
    expect(rules({ deny: [glob] }).denying(long)).toBe(glob);
    expect(rules({ allow: [glob] }).allows(long)).toBe(false);
  });

  test('does not keep the others from being asked, however many there are', () => {
    const scope = rules({ deny: [...Array.from({ length: 500 }, (_, at) => `*a*a*a*a*${at}`), 'docs/**'] });
    expect(scope.denying('/p/docs/a')).toBe('docs/**');
    expect(scope.denying(long)).not.toBe(null);
  });

  test('is asked about all the paths of a tree under one clock', () => {
    const deny = ['**/{keys,certs}/**/*.pem', 'docs/**'];
    const { denyingOneOf } = rules({ deny });
    const locations = Array.from({ length: 5_000 }, (_, at) => `/p/build/part/${at}.js`);
    expect(denyingOneOf(locations)).toBeNull();
    const location = '/p/build/keys/a/b.pem';
    expect(denyingOneOf([...locations, location])).toEqual({ location, rule: deny[0] });
    expect(denyingOneOf([long, location, '/p/docs/a'])).toEqual({ location: '/p/docs/a', rule: 'docs/**' });
    expect(denyingOneOf([])).toBeNull();
  });

  test('costs nothing when many wildcards meet a usual name', () => {
    const { denying } = rules({ deny: ['**/a/**/b/**/*.c*'] });
    expect(denying('/p/x/a/y/b/z/n.cc')).not.toBe(null);
    expect(denying('/p/x/a/y/n.cc')).toBe(null);
  });
});
