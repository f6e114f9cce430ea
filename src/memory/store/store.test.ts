import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventAt, newStore, summarised, type TestStore } from '../../../test/support/store/store.ts';
import { BrowseSessions } from './reads/browse-sessions.ts';
import { schemaVersion } from './schema/migrate.ts';
import { openStore, openStoreReadOnly, type Store } from './store.ts';

let own: TestStore;
let store: Store;

beforeEach(() => {
  own = newStore();
  store = own.store;
});
afterEach(() => own.remove());

const empty = { events: 0, messages: 0, raw: 0, summarized: 0, skipped: 0, summaries: 0, embeddings: 0 };

describe('openStore', () => {
  test('makes a new database of the current schema, its files closed to others', () => {
    store.events.insert([eventAt(1)]);
    expect(store.connection.get('PRAGMA user_version')).toEqual({ user_version: schemaVersion });
    expect(store.connection.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' });
    expect(store.connection.get('PRAGMA foreign_keys')).toEqual({ foreign_keys: 1 });
    expect(store.connection.get('PRAGMA synchronous')).toEqual({ synchronous: 2 });
    for (const file of [own.file, `${own.file}-wal`, `${own.file}-shm`]) {
      expect([file, fs.statSync(file).mode & 0o777]).toEqual([file, 0o600]);
    }
  });

  test('keeps its files closed under an open umask', () => {
    const umask = process.umask(0);
    try {
      const file = path.join(path.dirname(own.file), 'other.sqlite');
      const other = openStore(file);
      other.events.insert([eventAt(1)]);
      for (const one of [file, `${file}-wal`, `${file}-shm`])
        expect(fs.statSync(one).mode & 0o777).toBe(0o600);
      other.close();
    } finally {
      process.umask(umask);
    }
  });

  test('opens what it made with all that is in it, and makes no backup of it', () => {
    summarised(store, [eventAt(1)]);
    const again = openStore(own.file);
    expect(again.stats.counts()).toMatchObject({ events: 1, summaries: 1 });
    again.close();
    expect(fs.readdirSync(path.dirname(own.file)).filter((name) => name.includes('backup'))).toEqual([]);
  });

  test('refuses a newer schema, naming both versions, and leaves it as it is', () => {
    store.connection.exec('PRAGMA user_version = 99');
    for (const open of [openStore, openStoreReadOnly]) {
      expect(() => open(own.file)).toThrow(expect.objectContaining({ code: 'newer_schema' }));
      expect(() => open(own.file)).toThrow(
        `has schema 99, and this memd knows schemas up to ${schemaVersion}`,
      );
    }
    expect(store.connection.get('PRAGMA user_version')).toEqual({ user_version: 99 });
    expect(store.stats.counts()).toEqual(empty);
  });

  test('refuses what is no database, and leaves it as it is', () => {
    const file = path.join(path.dirname(own.file), 'not.sqlite');
    fs.writeFileSync(file, 'this is not a database, whatever its name says '.repeat(50));
    const before = fs.readFileSync(file);
    for (const open of [openStore, openStoreReadOnly]) {
      expect(() => open(file)).toThrow(expect.objectContaining({ code: 'bad_database' }));
    }
    expect(fs.readFileSync(file).equals(before)).toBe(true);
  });

  test('fills an index that was emptied while nobody looked', () => {
    summarised(store, [eventAt(1)], () => 'quokka');
    store.connection.run('DELETE FROM summaries_fts');
    const again = openStore(own.file);
    expect(
      again.connection.all("SELECT 1 FROM summaries_fts WHERE summaries_fts MATCH 'quokka'"),
    ).toHaveLength(1);
    again.close();
  });
});

describe('openStoreReadOnly', () => {
  test('is null without a database, and for one without tables', () => {
    const folder = path.dirname(own.file);
    expect(openStoreReadOnly(path.join(folder, 'none.sqlite'))).toBeNull();
    fs.writeFileSync(path.join(folder, 'empty.sqlite'), '');
    expect(openStoreReadOnly(path.join(folder, 'empty.sqlite'))).toBeNull();
  });

  test('reads while another connection writes, and cannot write', () => {
    const reader = openStoreReadOnly(own.file);
    expect(reader?.stats.counts()).toEqual(empty);
    summarised(store, [eventAt(1)]);
    expect(reader?.stats.counts()).toMatchObject({ events: 1, summarized: 1, summaries: 1 });
    expect(() => reader?.events.insert([eventAt(2)])).toThrow(/readonly/);
    reader?.close();
  });
});

describe('two connections', () => {
  test('write in turn, and each sees what the other has written', () => {
    const other = openStore(own.file);
    const before = store.connection.dataVersion();
    other.events.insert([eventAt(1)]);
    expect(store.connection.dataVersion()).not.toBe(before);
    store.events.insert([eventAt(1), eventAt(2)]);
    expect(other.stats.counts()).toMatchObject({ events: 2, raw: 2 });
    other.close();
  });

  test('count once for each state of the store, and again after a write of either', () => {
    const other = openStore(own.file);
    store.events.insert([eventAt(1)]);
    const counted = () => [store, other].map(({ stats }) => [stats.counts().raw, stats.recorders().length]);
    expect(counted()).toEqual(Array(2).fill([1, 1]));
    expect(counted()).toEqual(Array(2).fill([1, 1]));
    store.events.insert([eventAt(2, { client: 'codex', sessionId: 'other' })]);
    expect(counted()).toEqual(Array(2).fill([2, 2]));
    other.connection.exec("UPDATE events SET status = 'skipped' WHERE seq = 1");
    expect(counted()).toEqual(Array(2).fill([1, 2]));
    expect(store.stats.counts()).toMatchObject({ events: 2, summarized: 0, skipped: 1 });
    other.close();
  });

  test('a transaction that throws leaves nothing, and the next one works', () => {
    expect(() =>
      store.connection.transaction(() => {
        store.settings.set('a', '1');
        throw new Error('stop');
      }),
    ).toThrow('stop');
    expect(store.settings.get('a')).toBeNull();
    store.settings.set('a', '2');
    expect(store.settings.get('a')).toBe('2');
    store.settings.set('a', null);
    expect(store.settings.get('a')).toBeNull();
  });
});

describe('usage, settings and sessions', () => {
  test('adds up what a model has cost on a day', () => {
    const use = {
      day: '2026-01-01',
      backend: 'hosted',
      model: 'm',
      calls: 1,
      inputTokens: 10,
      outputTokens: 2,
    };
    store.usage.add(use);
    store.usage.add({ ...use, calls: 2, inputTokens: 5, outputTokens: 1, costMicroUsd: 7 });
    store.usage.add({ ...use, day: '2026-01-02' });
    expect(store.usage.of('2026-01-01')).toEqual([
      { ...use, calls: 3, inputTokens: 15, outputTokens: 3, costMicroUsd: 7 },
    ]);
    expect(store.usage.of('2025-12-31')).toEqual([]);
  });

  test('counts by status', () => {
    summarised(store, [eventAt(1), eventAt(2)]);
    store.events.insert([eventAt(3), eventAt(4)]);
    store.connection.run("UPDATE events SET status = 'skipped' WHERE id = 'ev_4'");
    expect(store.stats.counts()).toEqual({
      events: 4,
      messages: 0,
      raw: 1,
      summarized: 2,
      skipped: 1,
      summaries: 2,
      embeddings: 0,
    });
  });

  test('lists sessions by their last call', () => {
    store.events.insert([
      eventAt(1),
      eventAt(2, { isError: true }),
      eventAt(3, { sessionId: 's2', client: 'codex' }),
    ]);
    expect(new BrowseSessions(store).sessions(10, null).sessions).toEqual([
      {
        sessionId: 's2',
        client: 'codex',
        events: 1,
        errors: 0,
        messages: 0,
        firstTs: eventAt(3).ts,
        lastTs: eventAt(3).ts,
        digest: null,
      },
      {
        sessionId: 's1',
        client: 'claude-code',
        events: 2,
        errors: 1,
        messages: 0,
        firstTs: eventAt(1).ts,
        lastTs: eventAt(2).ts,
        digest: null,
      },
    ]);
    expect(new BrowseSessions(store).sessions(1, null).sessions).toHaveLength(1);
  });
});
