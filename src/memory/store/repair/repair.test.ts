import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { salvageBatchKeys, startCheckBytesMax } from '#core/limits';
import { eventAt, newStore, summarised, type TestStore } from '../../../../test/support/store/store.ts';
import { openStore, type Store } from '../store.ts';
import { ForgottenTable } from '../tables/forgotten.ts';
import { damageOf } from './integrity.ts';

const pageBytes = 4_096;
const count = 300;
let own: TestStore;
let opened: Store[];

beforeEach(() => {
  own = newStore();
  opened = [];
  const output = 'what the call has put out, again and again; '.repeat(12);
  summarised(
    own.store,
    Array.from({ length: count }, (_, at) => eventAt(at + 1, { output })),
    (at) => `did ${at} `.repeat(20),
  );
  own.store.summaries.pin(5, true);
  own.store.connection.run(
    "INSERT INTO edges (from_id, to_id, kind, evidence, ts) VALUES (9, 8, 'supersedes', 'same file', '2026')",
  );
  own.store.settings.set('focus', 'the log');
  // All of it into the file itself, where the tests do their damage.
  own.store.connection.get('PRAGMA wal_checkpoint(TRUNCATE)');
  own.store.close();
});
afterEach(() => {
  for (const store of opened) store.close();
  fs.rmSync(path.dirname(own.file), { recursive: true, force: true });
});

function open(options: { repair?: boolean; suspect?: boolean }): Store {
  const store = openStore(own.file, options);
  opened.push(store);
  return store;
}

function damage(pages: readonly number[]): void {
  const bytes = fs.readFileSync(own.file);
  for (const page of pages) bytes.fill(0xa5, (page - 1) * pageBytes, page * pageBytes);
  fs.writeFileSync(own.file, bytes);
}

/** The pages that hold the text, in order. */
function pagesWith(text: string): number[] {
  const bytes = fs.readFileSync(own.file);
  const pages = Array.from({ length: bytes.length / pageBytes }, (_, at) => at + 1);
  return pages.filter((page) => bytes.subarray((page - 1) * pageBytes, page * pageBytes).includes(text));
}

function overwrite(at: number, byte: number): void {
  const bytes = fs.readFileSync(own.file);
  bytes[at] = byte;
  fs.writeFileSync(own.file, bytes);
}

/** The row that holds the version of the index's format is gone from its page. */
function damageIndexVersion(): void {
  const root = rootOf('summaries_fts_config');
  overwrite((root - 1) * pageBytes + 4, 0);
}

const rootOf = (table: string): number => {
  const store = openStore(own.file);
  const row = store.connection.get('SELECT rootpage FROM sqlite_schema WHERE name = ?', table);
  store.close();
  return Number(row?.rootpage);
};

const aside = (): string[] =>
  fs
    .readdirSync(path.dirname(own.file))
    .filter((name) => /^db\.sqlite\.corrupt-\d{8}T\d{6}\.\d{3}Z$/.test(name));

describe('openStore with repair', () => {
  test('does nothing about a sound database, suspected or not', () => {
    for (const suspect of [false, true]) {
      const store = open({ repair: true, suspect });
      expect(store.repaired).toBe(null);
      expect(store.stats.counts()).toMatchObject({ events: count, summaries: count });
    }
    expect(aside()).toEqual([]);
    expect(damageOf(own.file)).toBe(null);
  });

  test('salvages the rows around a damaged page and keeps the file as it was', () => {
    const [, page = 0] = pagesWith('what the call has put out');
    damage([page]);
    const before = fs.readFileSync(own.file);
    const store = open({ repair: true, suspect: true });
    expect(fs.readFileSync(path.join(path.dirname(own.file), aside()[0] ?? '')).equals(before)).toBe(true);
    const { repaired } = store;
    expect(repaired?.unreadable).toBeGreaterThan(0);
    expect(repaired?.unreadable).toBeLessThan(20);
    // Every memory is kept; those without their event get one that says so.
    const counts = store.stats.counts();
    expect(counts).toMatchObject({ events: count, summaries: count, raw: 0 });
    const lost = store.connection.all("SELECT id FROM events WHERE tool = 'unknown'");
    expect(lost).toHaveLength(repaired?.unreadable ?? -1);
    expect(store.summaries.get([5])[0]).toMatchObject({ pinned: true, text: 'did 4 '.repeat(20) });
    expect(store.edges.touching([9])).toMatchObject([{ from: 9, to: 8, evidence: 'same file' }]);
    expect(store.settings.get('focus')).toBe('the log');
    expect(store.connection.all("SELECT 1 FROM summaries_fts WHERE summaries_fts MATCH 'did'")).toHaveLength(
      count,
    );
    expect(damageOf(own.file)).toBe(null);
  });

  test('looks at a small one after an end in order, and at a larger one only when it is suspected', () => {
    const [, page = 0] = pagesWith('what the call has put out');
    damage([page]);
    fs.truncateSync(own.file, startCheckBytesMax + pageBytes);
    const large = open({ repair: true });
    expect(large.repaired).toBe(null);
    large.close();
    opened.pop();
    fs.truncateSync(own.file, startCheckBytesMax);
    expect(open({ repair: true }).repaired).not.toBe(null);
    expect(aside()).toHaveLength(1);
  });

  test('keeps away what was forgotten, but for what stood on the damaged page itself', () => {
    const before = openStore(own.file);
    const gone = Array.from({ length: 2_000 }, (_, at) => `ev_gone_${String(at).padStart(4, '0')}`);
    new ForgottenTable(before).add(gone, '2026-01-01T00:00:00.000Z');
    before.connection.get('PRAGMA wal_checkpoint(TRUNCATE)');
    before.close();
    damage(pagesWith('ev_gone_1000').slice(0, 1));
    const store = open({ repair: true, suspect: true });
    expect(store.repaired?.unreadable).toBe(salvageBatchKeys);
    const kept = new ForgottenTable(store).among(gone);
    expect(kept.size).toBeGreaterThan(1_800);
    expect(kept.size).toBeLessThan(2_000);
    expect([kept.has('ev_gone_0000'), kept.has('ev_gone_1999')]).toEqual([true, true]);
  });

  test('sets events whose memory is lost back to raw', () => {
    const [page = 0] = pagesWith('did 150 did 150');
    damage([page]);
    const store = open({ repair: true, suspect: true });
    const counts = store.stats.counts();
    expect(counts.events).toBe(count);
    expect(counts.summaries).toBeLessThan(count);
    expect(counts.raw).toBe(count - counts.summaries);
  });

  test.each(['events', 'summaries', 'sqlite_sequence', 'summaries_fts_data', 'events_status'])(
    'goes on when the root of %s is damaged',
    (table) => {
      damage([rootOf(table)]);
      const store = open({ repair: true, suspect: true });
      expect(store.repaired).not.toBe(null);
      const { events, summaries } = store.stats.counts();
      expect(events).toBe(count);
      // Memories outlive their events; only their own root takes them along.
      expect(summaries).toBe(table === 'summaries' ? 0 : count);
      store.events.insert([eventAt(1_000)]);
      expect(damageOf(own.file)).toBe(null);
    },
  );

  test.each<readonly [name: string, spoil: () => void]>([
    ['the header forbids to write', () => overwrite(18, 3)],
    ['the header forbids to read', () => overwrite(19, 3)],
    ['the header has a format of schemas that does not exist', () => overwrite(47, 9)],
    ['the header has the number of an earlier schema', () => overwrite(63, 1)],
    ['the header is no header', () => overwrite(3, 0)],
    ['the header has another size of pages', () => overwrite(16, 0x20)],
    ['the header has another encoding', () => overwrite(59, 2)],
    ['the full-text index has lost its version', () => damageIndexVersion()],
  ])('salvages everything where %s', (_, spoil) => {
    spoil();
    const store = open({ repair: true });
    expect(store.repaired).toMatchObject({ events: count, summaries: count, unreadable: 0 });
    expect(aside()).toHaveLength(1);
    expect(store.stats.counts()).toMatchObject({ events: count, summaries: count });
  });

  test('gives no lost number to another memory', () => {
    damage([rootOf('summaries')]);
    const store = open({ repair: true, suspect: true });
    summarised(store, [eventAt(1_000)]);
    const [row] = store.connection.all('SELECT min(id) AS id FROM summaries');
    expect(row?.id).toBe(count + 1);
  });

  test.each([
    ['garbage', Buffer.from('no database at all '.repeat(500))],
    ['a torn file', null],
  ])('sets aside %s', (_name, content) => {
    fs.writeFileSync(own.file, content ?? fs.readFileSync(own.file).subarray(0, 10 * pageBytes + 100));
    const store = open({ repair: true, suspect: true });
    expect(store.repaired).not.toBe(null);
    expect(aside()).toHaveLength(1);
    store.events.insert([eventAt(1_000)]);
  });

  test('believes a daemon that has met the damage, whatever a check says', () => {
    open({ repair: true }).damaged('database disk image is malformed');
    opened.pop()?.close();
    const store = open({ repair: true });
    expect(store.repaired).toMatchObject({
      damage: 'database disk image is malformed',
      events: count,
      summaries: count,
      unreadable: 0,
    });
    expect(aside()).toHaveLength(1);
    store.close();
    opened.pop();
    expect(open({ repair: true }).repaired).toBe(null);
  });

  test('never takes the log of the damaged file for the new one', () => {
    const store = open({});
    store.events.insert([eventAt(2_000)]);
    store.close();
    opened.pop();
    const wal = fs.readFileSync(`${own.file}-wal`);
    expect(wal.length).toBeGreaterThan(0);
    damage([pagesWith('what the call has put out')[0] ?? 0]);
    const repaired = open({ repair: true, suspect: true });
    expect(repaired.repaired).not.toBe(null);
    expect(repaired.events.known(['ev_2000'])).toEqual(new Set(['ev_2000']));
    expect(fs.readFileSync(path.join(path.dirname(own.file), `${aside()[0]}-wal`)).equals(wal)).toBe(true);
    expect(damageOf(own.file)).toBe(null);
  });
});
