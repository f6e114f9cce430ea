import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { attemptsOf } from './session-start-attempts.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-attempts-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const minute = 60_000;
const place = (at: string) => ({
  folder: at,
  config: path.join(at, 'config.json'),
  database: path.join(at, 'db.sqlite'),
});
const file = (): string => path.join(folder, 'session-start.json');

/** Notes failures at those minutes; what a later session reads at minute `now`. */
function refusalAfter(failures: readonly number[], now: number): string | null {
  for (const at of failures) attemptsOf(place(folder)).note('no disk', at * minute);
  return attemptsOf(place(folder)).refusal(now * minute);
}

test.each<[string, number[], number, boolean]>([
  ['nothing', [], 1, false],
  ['two failures', [1, 2], 3, false],
  ['three in ten minutes', [1, 2, 3], 4, true],
  ['three, ten minutes later', [1, 2, 3], 13, false],
  ['three over eleven minutes', [1, 6, 12], 13, false],
  ['three of a clock that was put back', [101, 102, 103], 4, false],
])('after %s: refused %#', (_, failures, now, isRefused) => {
  expect(refusalAfter(failures, now) !== null).toBe(isRefused);
});

test('the refusal says why, for how long, and what to do', () => {
  const words = /not tried for 9 min after 3 failures in a row: no disk\. Run `memd doctor`\./;
  expect(refusalAfter([1, 2, 3], 4)).toMatch(words);
});

test('a daemon that answers ends it, and leaves no file', () => {
  refusalAfter([1, 2, 3], 4);
  expect(fs.statSync(file()).mode & 0o777).toBe(0o600);
  attemptsOf(place(folder)).clear();
  expect(fs.existsSync(file())).toBe(false);
});

test.each(['', '{', 'null', '{"failures":"x"}', '{"failures":[null,"a",1e999]}'])(
  'a file that holds %j stands for no failure',
  (text) => {
    fs.writeFileSync(file(), text);
    expect(attemptsOf(place(folder)).refusal(minute)).toBeNull();
  },
);

test('a folder that is not there, or cannot be written, costs nothing', () => {
  const attempts = attemptsOf(place(path.join(folder, 'gone')));
  attempts.note('x', minute);
  attempts.clear();
  expect(attempts.refusal(minute)).toBeNull();
});

test.each<[string, string, boolean]>([
  ['the settings are corrected', 'config.json', false],
  ['the database is put right', 'db.sqlite', false],
  ['something else is written', 'notes.txt', true],
])('after %s: refused %#', (_, name, isRefused) => {
  fs.writeFileSync(path.join(folder, 'config.json'), '{');
  refusalAfter([1, 2, 3], 4);
  fs.writeFileSync(path.join(folder, name), '{}');
  expect(refusalAfter([], 4) !== null).toBe(isRefused);
});

test('settings that are taken away are a repair too, and a further failure is one of those', () => {
  fs.writeFileSync(path.join(folder, 'config.json'), '{');
  refusalAfter([1, 2, 3], 4);
  fs.rmSync(path.join(folder, 'config.json'));
  expect(refusalAfter([], 4)).toBeNull();
  expect(refusalAfter([4], 5)).not.toBeNull();
});

test('what a daemon that runs does to its database is no repair of it', () => {
  for (const at of [1, 2, 3]) attemptsOf(place(folder)).noteWhileUp('it hung', at * minute);
  fs.writeFileSync(path.join(folder, 'db.sqlite'), 'more');
  expect(refusalAfter([], 4)).toMatch(/it hung/);
});
