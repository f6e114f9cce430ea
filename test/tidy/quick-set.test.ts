import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { quickEndToEnd, slowUnitTests } from '../quick-set.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = path.join(root, 'test/e2e');
const textOf = (name: string): string => fs.readFileSync(path.join(folder, `${name}.test.ts`), 'utf8');
const quick = Object.values(quickEndToEnd).flat();

test('every test file that the quick set or the slow one names is there, once', () => {
  const names = fs.readdirSync(folder).map((file) => file.replace(/\.test\.ts$/, ''));
  expect(quick.filter((name) => !names.includes(name))).toEqual([]);
  expect(new Set(quick).size).toBe(quick.length);
  expect(slowUnitTests.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([]);
});

test('each surface has an end-to-end test that runs in `npm test`', () => {
  const runs = (name: string): boolean => /^(describe(\.each\()?|test)\(/m.test(textOf(name));
  const bare = Object.entries(quickEndToEnd).filter(([, names]) => !names.some(runs));
  expect(bare.map(([surface]) => surface)).toEqual([]);
  expect(Object.keys(quickEndToEnd)).toEqual(
    expect.arrayContaining([
      'install',
      'capture',
      'search',
      'outline',
      'mcp',
      'sync',
      'page',
      'command line',
    ]),
  );
});

test('no test is marked as slow in a file that is slow as a whole', () => {
  const names = fs.readdirSync(folder).map((file) => file.replace(/\.test\.ts$/, ''));
  const marked = names.filter((name) => /\bslow(Test|Suite)\b/.test(textOf(name)));
  expect(marked.filter((name) => !quick.includes(name))).toEqual([]);
});

test('support registers nothing for each test as it is loaded: the files of a worker share it', () => {
  const support = fs.readdirSync(path.join(root, 'test/support'), { recursive: true, encoding: 'utf8' });
  const hooks = support.filter((file) => {
    return (
      file.endsWith('.ts') &&
      /^(?:before|after)(?:Each|All)\(/m.test(fs.readFileSync(path.join(root, 'test/support', file), 'utf8'))
    );
  });
  expect(hooks).toEqual([]);
});
