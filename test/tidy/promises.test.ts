import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const promises = fs.readFileSync(path.join(root, 'docs/promises.md'), 'utf8');
const tests = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.test.ts'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && fs.existsSync(path.join(root, file)));

test('every test file that a promise names is there', () => {
  const named = [...promises.matchAll(/`([^`\s]+\.test\.ts)`/g)].map(([, file = '']) => file);
  const missing = named.filter((file) => {
    const [start = '', end = ''] = file.split('*');
    return !tests.some((one) => (one.startsWith(start) || one.includes(`/${start}`)) && one.endsWith(end));
  });
  expect(named.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});

test('every test that a promise quotes is there, by its name', () => {
  const texts = tests.map((file) => fs.readFileSync(path.join(root, file), 'utf8').replaceAll('\\', ''));
  const quoted = [...promises.matchAll(/"([^"]{12,})"/g)].flatMap(([, name = '']) => name.split(' ... '));
  const missing = quoted
    .map((name) => name.replace(/ ?\.\.\.$/, ''))
    .filter((name) => !texts.some((text) => text.includes(name)));
  expect(quoted.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});
