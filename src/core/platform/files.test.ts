import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { addLines, removeLeftovers } from './files.ts';

test('what killed writers leave in a folder is removed, with what SQLite has written next to it, and nothing else', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-files-'));
  const copy = 'db.sqlite.schema-1.backup';
  const kept = [copy, 'db.sqlite', 'db.sqlite-wal', `${copy}.tmp`, `${copy}.12.tmp-mine`];
  const left = [
    `${copy}.12.tmp`,
    `${copy}.12.tmp-journal`,
    `${copy}.12.tmp-wal`,
    `${copy}.12.tmp-shm`,
    'run.pid.3.tmp',
  ];
  for (const name of [...kept, ...left]) fs.writeFileSync(path.join(folder, name), '');
  removeLeftovers(folder);
  expect(fs.readdirSync(folder).sort()).toEqual(kept.sort());
  fs.rmSync(folder, { recursive: true });
});

test('lines are added after a torn one, not to it', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-files-'));
  const file = path.join(folder, 'lines');
  for (const lines of ['one\ntwo\n', '', 'three', 'four\n']) addLines(file, lines);
  fs.appendFileSync(file, 'to');
  addLines(file, 'five\nsix\n');
  expect(fs.readFileSync(file, 'utf8')).toBe('one\ntwo\nthree\nfour\nto\nfive\nsix\n');
  fs.rmSync(folder, { recursive: true });
});
