import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isHeld, takeLock } from './lock.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-lock-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

test.each(['a folder', 'no database'])('%s at the path of the lock is reported with the repair', (what) => {
  const file = path.join(folder, 'run.lock');
  if (what === 'a folder') fs.mkdirSync(file);
  else fs.writeFileSync(file, 'x'.repeat(4_096));
  for (const look of [takeLock, isHeld])
    expect(() => look(file)).toThrow(/^cannot lock .*run\.lock: .*\. Remove that file: it holds no data\.$/);
});

test('a holder is seen, by any number of checks, and none without a lock', () => {
  const file = path.join(folder, 'run.lock');
  expect(isHeld(file)).toBe(false);
  expect(fs.existsSync(file)).toBe(false);
  const lock = takeLock(file);
  expect([isHeld(file), isHeld(file), takeLock(file)]).toEqual([true, true, null]);
  lock?.release();
  expect(isHeld(file)).toBe(false);
});

test('who looks while another looks sees nobody', () => {
  const file = path.join(folder, 'run.lock');
  takeLock(file)?.release();
  const other = new DatabaseSync(file, { readOnly: true });
  other.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
  expect(isHeld(file)).toBe(false);
  other.close();
});
