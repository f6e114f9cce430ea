import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventAt, newStore, summarised, type TestStore } from '../../../../test/support/store/store.ts';
import { Connection } from '../connection.ts';
import { allRows } from '../reads/archive-rows.ts';
import { schema4 } from '../schema/schema-4.ts';
import { openStore } from '../store.ts';
import { importRows } from '../sync/import-rows.ts';

const why = 'older than 365 days (retention.payloadDays)';
const long = 'the quick brown fox\n'.repeat(400);
let at: TestStore;

beforeEach(() => {
  at = newStore();
});
afterEach(() => at.remove());

const ids = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);
const events = (count: number, from = 0) => ids(count, from).map((index) => eventAt(index, { output: long }));
const curated = (): void => void at.store.connection.run('UPDATE summaries SET curated = 1');
const lengths = (): number[] =>
  at.store.connection
    .all('SELECT length(payload_json) AS n FROM events ORDER BY seq')
    .map(({ n }) => Number(n));
const isShort = (length: number): boolean => length < 500;

/** All steps; answers how many payloads were shrunk. */
function shrinkAll(before: string | null = null): number {
  let shrunk = 0;
  for (let step = at.store.retention.shrink(null, before, why); ; ) {
    shrunk += step.shrunk;
    if (step.next === null) return shrunk;
    step = at.store.retention.shrink(step.next, before, why);
  }
}

describe('shrinking payloads', () => {
  test('those that are older than a time, step by step, once', () => {
    summarised(at.store, events(100));
    curated();
    const before = eventAt(70).ts;
    expect(at.store.retention.shrink(null, before, why)).toMatchObject({ shrunk: 32, next: { seq: 32 } });
    expect(shrinkAll(before)).toBe(38);
    expect(lengths().map(isShort)).toEqual(ids(100).map((index) => index < 70));
    expect(shrinkAll(before)).toBe(0);
  });

  test('summaries, index and pins stay as they are, and no event goes', () => {
    const [first = 0] = summarised(at.store, events(3), (index) => `did the thing ${index}`);
    curated();
    const before = at.store.summaries.get([1, 2, 3]);
    expect(shrinkAll()).toBe(3);
    expect(at.store.summaries.get([1, 2, 3])).toEqual(before);
    expect(at.store.stats.counts()).toMatchObject({ events: 3, summaries: 3, summarized: 3 });
    expect(
      at.store.connection.all("SELECT rowid FROM summaries_fts WHERE summaries_fts MATCH 'thing'").length,
    ).toBe(3);
    expect(at.store.summaries.payloadJson(first)).toContain('<shrunk by retention: 8000 characters');
  });

  test('their pages become dense: a row keeps its number, and half of the file is free', () => {
    const text = (chars: number): string => 'word '.repeat(chars / 5);
    summarised(
      at.store,
      ids(300).map((index) => eventAt(index, { output: text(1_500) })),
    );
    curated();
    const seqs = () => at.store.connection.all('SELECT seq, id FROM events ORDER BY seq');
    const [before, { pages }] = [seqs(), at.store.retention.size()];
    shrinkAll();
    expect(seqs()).toEqual(before);
    expect(at.store.retention.size().freePages).toBeGreaterThan(pages * 0.35);
  });

  test('not what is pinned, raw, skipped, or what no curator has looked at', () => {
    const [, pinned = 0] = summarised(at.store, events(4));
    curated();
    at.store.summaries.pin(pinned, true);
    at.store.connection.run('UPDATE summaries SET curated = 0 WHERE id = 3');
    at.store.connection.run("UPDATE events SET status = 'skipped' WHERE seq = 4");
    at.store.events.insert(events(1, 4));
    expect(shrinkAll()).toBe(1);
    expect(lengths().map(isShort)).toEqual([true, false, false, false, false]);
  });

  test('one that is short already is not looked at again', () => {
    summarised(at.store, [eventAt(0)]);
    curated();
    expect(shrinkAll()).toBe(0);
    expect(at.store.connection.get('SELECT shrunk FROM events')).toEqual({ shrunk: -1 });
  });

  test('a repeat of a shrunk call is the same event, and brings nothing back', () => {
    summarised(at.store, events(1));
    curated();
    shrinkAll();
    expect(at.store.events.insert(events(1))).toEqual({ inserted: 0, duplicates: 1 });
    expect(lengths().every(isShort)).toBe(true);
  });

  test('a shrunk call that an operator sets back to raw keeps the summary that it has', () => {
    summarised(at.store, events(2));
    curated();
    at.store.connection.run('UPDATE events SET shrunk = -1 WHERE seq = 2');
    shrinkAll();
    at.store.connection.run("UPDATE events SET status = 'raw'");
    expect(at.store.connection.all('SELECT status FROM events ORDER BY seq')).toEqual([
      { status: 'summarized' },
      { status: 'raw' },
    ]);
  });

  test('nobody refines what the builtin summariser wrote of a payload that is gone', () => {
    summarised(at.store, events(2));
    curated();
    at.store.connection.run("UPDATE summaries SET model = 'builtin'");
    at.store.connection.run('UPDATE summaries SET pinned = 1 WHERE id = 2');
    shrinkAll();
    expect(at.store.events.claimBuiltin('me', null, 3, 10, Date.now()).map(({ seq }) => seq)).toEqual([2]);
    expect(at.store.events.someBuiltin(3)).toBe(true);
    at.store.connection.run('UPDATE events SET shrunk = 9');
    expect(at.store.events.someBuiltin(3)).toBe(false);
  });

  test('a shrunk memory can be forgotten, and no byte of what it was is in the file', () => {
    const secretly = 'wherefore art thou '.repeat(500);
    const [id = 0] = summarised(at.store, [eventAt(0, { output: secretly })]);
    curated();
    shrinkAll();
    at.store.summaries.forget(id);
    expect(at.store.connection.get('SELECT count(*) AS n FROM events')).toEqual({ n: 0 });
    expect(bytesHave('wherefore art')).toBe(false);
  });

  test('one that quotes a neighbour loses the quote, and its other words stay', () => {
    const [first = 0, second = 0] = summarised(at.store, [...events(1), ...events(2, 1)]);
    curated();
    const quote = ' Passed after failing in the call before (no rye).';
    at.store.connection.run("UPDATE summaries SET model = 'builtin', text = text || '.' || ?", quote);
    shrinkAll();
    at.store.summaries.forget(first, () => ({ text: 'again', terms: '' }));
    const left = at.store.connection.all('SELECT id, text, terms FROM summaries ORDER BY id');
    expect(left).toEqual([
      { id: second, text: 'did 1.', terms: 'term1' },
      { id: second + 1, text: 'did 2.', terms: 'term2' },
    ]);
  });

  test('nor has one that comes from a file without its neighbour', () => {
    summarised(at.store, events(1));
    const quote = ' Passed after failing in the call before (no rye).';
    at.store.connection.run("UPDATE summaries SET model = 'builtin', text = text || '.' || ?", quote);
    const other = newStore();
    try {
      importRows(other.store.connection, [...allRows(at.store.connection)], {
        lifts: 'never',
        originOf: () => null,
        withheld: new Set(['s1']),
      });
      const texts = other.store.connection.all('SELECT text FROM summaries ORDER BY id');
      expect(texts).toEqual([{ text: 'did 0.' }]);
    } finally {
      other.remove();
    }
  });
});

describe('giving space back', () => {
  test('free pages go in steps, and the file with them', () => {
    summarised(at.store, events(300));
    curated();
    at.store.connection.get('PRAGMA wal_checkpoint(TRUNCATE)');
    const sizeBefore = fs.statSync(at.file).size;
    shrinkAll();
    const { freePages, pages } = at.store.retention.size();
    expect(freePages).toBeGreaterThan(pages / 2);
    expect(at.store.retention.isIncremental()).toBe(true);
    expect(at.store.retention.giveBack(64)).toBe(freePages - 64);
    while (at.store.retention.giveBack(64) > 0);
    at.store.connection.get('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(fs.statSync(at.file).size).toBeLessThan(sizeBefore / 2);
    expect(at.store.connection.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
    expect(at.store.retention.size()).toMatchObject({ freePages: 0 });
  });
});

describe('a database of the first release', () => {
  test('is rewritten at its migration, so that its free pages can be released too', () => {
    const file = `${at.file}.old`;
    const old = new Connection(file, { readOnly: false });
    old.exec(`${schema4} PRAGMA user_version = 4`);
    old.exec(
      `INSERT INTO events (id, ts, tool, payload_json) VALUES ('ev_1', '2026-01-01T12:00:00.000Z', 'Bash', '{}')`,
    );
    expect(old.get('PRAGMA auto_vacuum')).toEqual({ auto_vacuum: 0 });
    old.close();
    const store = openStore(file);
    expect(store.retention.isIncremental()).toBe(true);
    expect(store.connection.all('SELECT id, shrunk FROM events')).toEqual([{ id: 'ev_1', shrunk: 0 }]);
    store.close();
    expect(fs.existsSync(`${file}.schema-4.backup`)).toBe(true);
  });
});

function bytesHave(words: string): boolean {
  return ['', '-wal'].some((part) => {
    const file = at.file + part;
    return fs.existsSync(file) && fs.readFileSync(file).includes(words);
  });
}
