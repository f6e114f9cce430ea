import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventAt, newStore, type TestStore } from '../../../test/support/store/store.ts';
import { isLockError } from './busy.ts';
import { isCorruption } from './repair/corruption.ts';
import { damageOf } from './repair/integrity.ts';
import { openStore, openStoreReadOnly } from './store.ts';

let own: TestStore;
let holder: InstanceType<typeof DatabaseSync> | null = null;
beforeEach(() => {
  own = newStore();
  own.store.events.insert([eventAt(1), eventAt(2)]);
});
afterEach(() => {
  unlock();
  own.remove();
});

/** Another connection takes the lock, as another program would: of writers, or of readers too. */
function lock(mode: 'NORMAL' | 'EXCLUSIVE', file = own.file): void {
  holder = new DatabaseSync(file);
  holder.exec(`PRAGMA locking_mode = ${mode}; BEGIN EXCLUSIVE`);
}

function unlock(): void {
  holder?.close();
  holder = null;
}

/** Of the database, which nobody has open: a connection that was closed keeps its locks until its statements are collected. */
function copyOf(content: (bytes: Buffer) => Buffer = (bytes) => bytes): string {
  own.store.connection.get('PRAGMA wal_checkpoint(TRUNCATE)');
  const copy = path.join(path.dirname(own.file), 'copy.sqlite');
  fs.writeFileSync(copy, content(fs.readFileSync(own.file)));
  return copy;
}

const named = expect.objectContaining({
  code: 'busy',
  message: expect.stringMatching(/^the database is locked: another program holds .*\.sqlite.*lsof/),
});

test.each<[number, string, boolean]>([
  [5, 'database is locked', true],
  [261, 'database is locked', true],
  [517, 'database is locked', true],
  [6, 'database table is locked', true],
  [15, 'locking protocol', true],
  [3850, 'disk I/O error', true],
  [5130, 'disk I/O error', true],
  [10, 'disk I/O error', false],
  [266, 'disk I/O error', false],
  [11, 'database disk image is malformed', false],
  [26, 'file is not a database', false],
  [1, 'no such table: database is locked', false],
])('the code %i (%s) is a lock: %s', (errcode, message, expected) => {
  expect(isLockError(Object.assign(new Error(message), { errcode }))).toBe(expected);
});

test('the words of a lock are enough where the driver gives no code, and never damage', () => {
  for (const words of [
    'database is locked',
    'database table is locked: t',
    'database schema is locked: main',
  ]) {
    expect([isLockError(new Error(words)), isCorruption(new Error(words))]).toEqual([true, false]);
  }
  expect(isLockError(new Error('cannot say why the database is locked'))).toBe(false);
});

test('what cannot write says so, reads go on, and all is well when the lock is gone', () => {
  const { store } = own;
  lock('NORMAL');
  for (const write of [
    () => store.events.insert([eventAt(3)]),
    () => store.settings.set('focus', 'x'),
    () => store.connection.exec('VACUUM'),
  ]) {
    expect(write).toThrow(named);
  }
  expect(store.stats.counts().events).toBe(2);
  expect(damageOf(own.file)).toBe(null);
  holder?.exec('ROLLBACK');
  store.events.insert([eventAt(3)]);
  expect(store.stats.counts().events).toBe(3);
});

test('a read in a transaction that another writer has overtaken is a lock', () => {
  const { connection } = own.store;
  connection.exec('BEGIN');
  connection.all('SELECT * FROM events');
  lock('NORMAL');
  holder?.exec("UPDATE events SET tool = 'Read'; COMMIT");
  expect(() => connection.run("UPDATE events SET tool = 'Edit'")).toThrow(named);
  connection.exec('ROLLBACK');
});

test('one that is locked against readers too is not opened, looked through or taken for damaged', () => {
  const file = copyOf();
  lock('EXCLUSIVE', file);
  const opens = [() => openStore(file, { repair: true, suspect: true }), () => openStoreReadOnly(file)];
  for (const open of opens) expect(open).toThrow(named);
  unlock();
  const again = openStore(file, { repair: true, suspect: true });
  expect([again.repaired, again.stats.counts().events]).toEqual([null, 2]);
  again.close();
});

test('one that is damaged and locked is set aside once the lock is gone, with all that can be read', () => {
  const sql = "SELECT rootpage AS root FROM sqlite_schema WHERE name = 'events_status'";
  const root = Number(own.store.connection.get(sql)?.root);
  const file = copyOf((bytes) => bytes.fill(0xa5, (root - 1) * 4_096, root * 4_096));
  lock('EXCLUSIVE', file);
  expect(() => openStore(file, { repair: true, suspect: true })).toThrow(named);
  const aside = () => fs.readdirSync(path.dirname(file)).filter((name) => name.includes('.corrupt-'));
  expect(aside()).toEqual([]);
  unlock();
  const repaired = openStore(file, { repair: true, suspect: true });
  expect([repaired.repaired?.events, repaired.stats.counts().events]).toEqual([2, 2]);
  expect(aside()).not.toEqual([]);
  repaired.close();
});
