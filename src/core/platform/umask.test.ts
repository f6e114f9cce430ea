import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepOwnRights, underGivenUmask } from './umask.ts';

let umask: number;
beforeEach(() => {
  umask = process.umask(0);
});
afterEach(() => {
  process.umask(umask);
});
// What was given here is remembered; the other test files of this worker load it afresh.
afterAll(() => {
  vi.resetModules();
});

function inForce(): number {
  const found = process.umask(0);
  process.umask(found);
  return found;
}

function ofAChild(): string {
  return execFileSync('/bin/sh', ['-c', 'umask'], { encoding: 'utf8' }).trim();
}

test.each([
  [0o000, 0o000],
  [0o022, 0o022],
  [0o077, 0o077],
  [0o277, 0o077],
  [0o777, 0o077],
  [0o722, 0o022],
])('of the umask %o there stays %o', (given, stays) => {
  process.umask(given);
  keepOwnRights();
  expect(inForce()).toBe(stays);
});

test('a program of the user is started under the umask that was given, however it goes', () => {
  process.umask(0o277);
  keepOwnRights();
  expect(ofAChild()).toMatch(/^0*77$/);
  expect(underGivenUmask(ofAChild)).toMatch(/^0*277$/);
  const failing = (): never => {
    throw new Error('no such program');
  };
  expect(() => underGivenUmask(failing)).toThrow('no such program');
  expect(inForce()).toBe(0o077);
});
