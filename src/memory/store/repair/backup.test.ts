import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Connection } from '../connection.ts';
import { schema4 } from '../schema/schema-4.ts';
import { openStore } from '../store.ts';

const pageBytes = 4_096;
const count = 200;
let folder: string;
let file: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-backup-'));
  file = path.join(folder, 'db.sqlite');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Without those of a connection whose last statement has not been collected yet. */
const names = (): string[] => fs.readdirSync(folder).filter((name) => !/-(?:wal|shm)$/.test(name));

test('a copy that could not be finished is none: no half of one lies about, or is taken for one the next time', () => {
  const old = new Connection(file, { readOnly: false });
  old.exec(`${schema4} PRAGMA user_version = 4`);
  const payload = JSON.stringify({ output: 'x'.repeat(2_000) });
  const sql =
    "INSERT INTO events (id, ts, tool, payload_json) VALUES (?, '2026-01-01T12:00:00.000Z', 'Bash', ?)";
  for (let at = 0; at < count; at += 1) old.run(sql, `ev_${at}`, payload);
  old.close();
  const whole = fs.readFileSync(file);
  const torn = Buffer.from(whole);
  const middle = Math.floor(whole.length / pageBytes / 2) * pageBytes;
  fs.writeFileSync(file, torn.fill(0xa5, middle, middle + pageBytes));
  expect(() => openStore(file)).toThrow(expect.objectContaining({ code: 'bad_database' }));
  expect(names()).toEqual(['db.sqlite']);
  // Another file: the first one's connection may not have been collected yet.
  for (const part of ['', '-wal', '-shm']) fs.rmSync(file + part, { force: true });
  fs.writeFileSync(file, whole);
  openStore(file).close();
  expect(names().sort()).toEqual(['db.sqlite', 'db.sqlite.schema-4.backup']);
  const copy = new Connection(`${file}.schema-4.backup`, { readOnly: true });
  expect(copy.get('SELECT count(*) AS n FROM events')).toEqual({ n: count });
  copy.close();
});
