import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeLock } from './lock.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-lock-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

test.each(['a folder', 'no database'])('%s in the place of the lock is told of with the repair', (what) => {
  const file = path.join(folder, 'run.lock');
  if (what === 'a folder') fs.mkdirSync(file);
  else fs.writeFileSync(file, 'x'.repeat(4_096));
  expect(() => takeLock(file)).toThrow(/^cannot lock .*run\.lock: .*; remove that file; it holds no data$/);
});
