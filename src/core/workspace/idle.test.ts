import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTimeoutMs } from '../limits.ts';
import { claimReturn, forgetIdle, isComingBack, markIdle, returnClaim } from './idle.ts';

let folder: string;
let marks: { idle: string; waking: string };

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-idle-'));
  marks = { idle: path.join(folder, 'run.idle'), waking: path.join(folder, 'run.waking') };
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const names = (): string[] => fs.readdirSync(folder).sort();

/** The claim as it looks when it was made `ms` ago. */
function claimedAgo(ms: number): void {
  const then = new Date(Date.now() - ms);
  fs.utimesSync(marks.waking, then, then);
}

test('without a mark nobody may bring anything back', () => {
  expect(isComingBack(marks)).toBe(false);
  expect(claimReturn(marks)).toBe(false);
  expect(names()).toEqual([]);
});

test('of many who find the mark one may, and the others know that it does, for as long as a start may take', () => {
  markIdle(marks);
  expect(fs.statSync(marks.idle).mode & 0o777).toBe(0o600);
  // However long ago it left.
  fs.utimesSync(marks.idle, new Date(0), new Date(0));
  expect(isComingBack(marks)).toBe(true);
  expect([1, 2, 3].map(() => claimReturn(marks))).toEqual([true, false, false]);
  expect(isComingBack(marks)).toBe(true);
  claimedAgo(startTimeoutMs + 1_000);
  expect(isComingBack(marks)).toBe(false);
});

test('a claim from a clock that was ahead counts for nothing', () => {
  markIdle(marks);
  claimReturn(marks);
  claimedAgo(-60_000);
  expect(isComingBack(marks)).toBe(false);
});

test('a claim that led to nothing is given back, and the next one has it', () => {
  markIdle(marks);
  claimReturn(marks);
  returnClaim(marks);
  expect(names()).toEqual(['run.idle']);
  expect(claimReturn(marks)).toBe(true);
});

test('a daemon that leaves again leaves one mark; one that is stopped leaves none', () => {
  markIdle(marks);
  claimReturn(marks);
  markIdle(marks);
  expect(names()).toEqual(['run.idle']);
  claimReturn(marks);
  forgetIdle(marks);
  markIdle(marks);
  forgetIdle(marks);
  forgetIdle(marks);
  expect(names()).toEqual([]);
});

test('a folder that cannot be written is reported', () => {
  fs.mkdirSync(marks.idle);
  fs.mkdirSync(marks.waking);
  fs.writeFileSync(path.join(marks.waking, 'x'), '');
  expect(() => claimReturn(marks)).toThrow();
});
