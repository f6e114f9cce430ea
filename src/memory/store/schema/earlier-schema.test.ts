import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { released } from '../../../../test/support/store/released.ts';
import { eventAt } from '../../../../test/support/store/store.ts';
import { Connection } from '../connection.ts';
import { openStore, openStoreReadOnly } from '../store.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-earlier-'));
  file = path.join(folder, 'db.sqlite');
  const old = new Connection(file, { readOnly: false });
  old.exec('PRAGMA journal_mode = WAL');
  released[0]?.write(old);
  old.exec(`DROP INDEX events_unshrunk; DROP TRIGGER events_shrunk_retry; ALTER TABLE events DROP COLUMN shrunk;
    DROP TRIGGER unpaired_forget; DROP TABLE unpaired; PRAGMA user_version = 2`);
  old.close();
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

describe('a file with the number of a schema before the first release', () => {
  test('is not changed by those who only read or do not hold the lock', () => {
    const bytes = fs.readFileSync(file);
    expect(() => openStoreReadOnly(file)).toThrow(expect.objectContaining({ code: 'older_schema' }));
    expect(() => openStore(file)).toThrow(expect.objectContaining({ code: 'bad_database' }));
    expect(fs.readFileSync(file).equals(bytes)).toBe(true);
  });

  test('is set aside, and its events, memories, pins, edges and settings are salvaged', () => {
    const store = openStore(file, { repair: true });
    // One payload is not JSON.
    expect(store.repaired).toMatchObject({ events: 4, summaries: 3, unreadable: 1 });
    expect(store.summaries.get([1, 2, 7]).map(({ pinned }) => pinned)).toEqual([true, false, false]);
    expect(store.edges.touching([7])).toHaveLength(2);
    const sql = "SELECT rowid FROM summaries_fts WHERE summaries_fts MATCH 'make' ORDER BY rowid";
    expect(store.connection.all(sql)).toEqual([{ rowid: 2 }, { rowid: 7 }]);
    expect(store.settings.get('focus')).toBe('the mill');
    expect(store.prompts.of('s1', 9)).toMatchObject([{ text: 'fix the mill' }]);
    expect(store.events.insert([eventAt(0)])).toMatchObject({ inserted: 0 });
    store.close();
  });
});
