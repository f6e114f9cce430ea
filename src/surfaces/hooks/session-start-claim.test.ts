import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { restartClaimMs } from '#core/limits';
import { claimRestart } from './session-start-ensure.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-claim-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

test('one has it until it is given back', () => {
  const claim = claimRestart({ folder });
  expect(claim).not.toBeNull();
  expect(claimRestart({ folder })).toBeNull();
  claim?.release();
  expect(claimRestart({ folder })).not.toBeNull();
});

test('one is held although its file is younger than the clock', () => {
  claimRestart({ folder });
  const [name = ''] = fs.readdirSync(folder);
  const then = (Date.now() + 1_000) / 1_000;
  fs.utimesSync(path.join(folder, name), then, then);
  expect(claimRestart({ folder })).toBeNull();
});

test('one that was never given back is free again later', () => {
  claimRestart({ folder });
  const [name = ''] = fs.readdirSync(folder);
  const then = (Date.now() - 2 * restartClaimMs) / 1_000;
  fs.utimesSync(path.join(folder, name), then, then);
  expect(claimRestart({ folder })).not.toBeNull();
});
