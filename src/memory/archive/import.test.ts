import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ForgottenTable, type Store } from '#memory/store';
import { bodyOf, event, fill, TestStores, takeIn } from '../../../test/support/archive/stores.ts';
import { importPart } from './import.ts';
import { exportLines } from './line.ts';
import { writeLines } from './whole-file.ts';

let stores: TestStores;
const newStore = (): Store => stores.open();
const fileOf = (name: string): string => stores.file(name);

beforeEach(() => {
  stores = new TestStores();
});
afterEach(() => stores.remove());

describe('what was forgotten', () => {
  const ids = (store: Store): unknown[] =>
    store.connection.all('SELECT event_id FROM forgotten ORDER BY event_id').map((row) => row.event_id);

  test('is part of an export by its id, and stays away where that is taken in', async () => {
    const [from, to] = [newStore(), newStore()];
    fill(from, [event(1), event(2), event(3), event(4), event(5)]);
    from.summaries.forget(1);
    fill(to, [event(6)]);
    await writeLines(fileOf('all.ndjson'), exportLines(from));
    expect(await takeIn(to, fileOf('all.ndjson'))).toMatchObject({
      events: 4,
      noted: 1,
      known: 0,
      stayed: 0,
    });
    expect(ids(to)).toEqual(['ev_1']);
    expect(to.events.insert([event(1)])).toEqual({ inserted: 0, duplicates: 1 });
    expect(await takeIn(to, fileOf('all.ndjson'))).toMatchObject({ events: 0, noted: 0, bad: 0 });
    expect(bodyOf(to).filter((line) => !line.includes('ev_6'))).toEqual(bodyOf(from));
  });

  test('elsewhere, and is here, stays: no file removes what its user has', async () => {
    const [from, to] = [newStore(), newStore()];
    for (const store of [from, to]) fill(store, [event(1), event(2)]);
    from.summaries.forget(1);
    await writeLines(fileOf('all.ndjson'), exportLines(from));
    expect(await takeIn(to, fileOf('all.ndjson'))).toMatchObject({ noted: 0, stayed: 1 });
    expect(to.summaries.get([1])).toHaveLength(1);
    expect(ids(to)).toEqual([]);
  });

  test('after a restore file was written does not come back with it; what was pruned into it does', async () => {
    const store = newStore();
    fill(store, [event(1), event(2), event(3)]);
    const rows = [...exportLines(store)].slice(1);
    const head = { format: 'memd-export', version: 1, kind: 'restore', ts: '2026-03-01T00:00:00.000Z' };
    await writeLines(fileOf('restore.ndjson'), [JSON.stringify(head), ...rows]);
    const forgotten = new ForgottenTable(store);
    forgotten.add(['ev_1'], '2026-02-28T23:59:59.999Z');
    forgotten.add(['ev_2'], '2026-03-01T00:00:00.001Z');
    store.connection.run("DELETE FROM events WHERE id IN ('ev_1', 'ev_2')");
    expect(await takeIn(store, fileOf('restore.ndjson'))).toMatchObject({
      events: 1,
      summaries: 1,
      forgotten: 2,
    });
    expect(ids(store)).toEqual(['ev_2']);
    const step = { file: fileOf('restore.ndjson'), place: null, forgotten: true };
    expect(importPart(store, step).took).toMatchObject({ events: 1, summaries: 1, forgotten: 0 });
    expect(ids(store)).toEqual([]);
  });
});

describe('a file that is not what it should be', () => {
  test('a pipe is no file, and holds nobody up', () => {
    execFileSync('mkfifo', [fileOf('pipe')]);
    const step = { file: fileOf('pipe'), place: null, forgotten: false };
    expect(() => importPart(newStore(), step)).toThrow(/ is not a file/);
  });

  test('one that is written to between two parts is left', async () => {
    const [from, to] = [newStore(), newStore()];
    fill(
      from,
      Array.from({ length: 200 }, (_, at) => event(at, { output: `${at} `.repeat(600) })),
    );
    await writeLines(fileOf('all.ndjson'), exportLines(from));
    const first = importPart(to, { file: fileOf('all.ndjson'), place: null, forgotten: false });
    fs.appendFileSync(fileOf('all.ndjson'), 'more\n');
    const again = { file: fileOf('all.ndjson'), place: first.next, forgotten: false };
    expect(first.next).not.toBeNull();
    expect(() => importPart(to, again)).toThrow(/ was changed during the import/);
  });

  test('what is there with other content stays, what comes twice comes once, what points nowhere is left out', async () => {
    const [from, to] = [newStore(), newStore()];
    fill(from, [event(1), event(2), event(3)]);
    fill(to, [event(1, { output: 'another' })]);
    const before = bodyOf(to);
    const [head = '', ...rows] = exportLines(from);
    const ts = '2026-01-01T00:00:00.000Z';
    const edge = (end: string): string =>
      JSON.stringify({ type: 'edge', from: 'ev_2', to: end, kind: 'contradicts', evidence: 'e', ts });
    const orphan = {
      type: 'summary',
      id: 9,
      eventId: 'ev_9',
      text: 't',
      terms: '',
      model: 'm',
      ts,
      pinned: true,
    };
    const half = rows[0]?.slice(0, 40) ?? '';
    await writeLines(fileOf('odd.ndjson'), [
      head,
      ...rows,
      ...rows,
      edge('ev_1'),
      edge('ev_9'),
      JSON.stringify(orphan),
      half,
    ]);
    const took = await takeIn(to, fileOf('odd.ndjson'));
    expect(took).toMatchObject({ events: 2, summaries: 2, edges: 1, loose: 2, bad: 1 });
    expect(bodyOf(to).slice(0, before.length)).toEqual(before);
    expect(to.connection.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
    expect(to.connection.all('PRAGMA foreign_key_check')).toEqual([]);
  });

  test('an id that holds a secret is no id', async () => {
    const secret = ['AKIA', 'QX7', 'PL2', 'ZM4', 'RT9', 'WB6', 'K'].join('');
    const from = newStore();
    fill(from, [event(1, { id: `of ${secret}` }), event(2)]);
    await writeLines(fileOf('odd.ndjson'), [
      ...exportLines(from),
      JSON.stringify({ type: 'forgotten', id: secret, ts: '2026-01-01T00:00:00.000Z' }),
    ]);
    const took = await takeIn(newStore(), fileOf('odd.ndjson'));
    expect(took).toMatchObject({ events: 1, noted: 0, bad: 3 });
    expect(JSON.stringify(took)).not.toContain(secret);
  });

  test('no field of a row brings a secret in, and each time is brought into one form', async () => {
    const secret = ['AKIA', 'QX7', 'PL2', 'ZM4', 'RT9', 'WB6', 'K'].join('');
    const from = newStore();
    fill(from, [event(1), event(2), event(3)]);
    const edge = { type: 'edge', from: 'ev_2', to: 'ev_1', evidence: 'e' };
    const digest = { type: 'digest', sessionId: 's1', text: 't', terms: '', lastEvent: null };
    const rows = [
      { ...edge, kind: 'contradicts', ts: secret },
      { ...edge, kind: 'supersedes', ts: '2026-01-01T01:00:00+01:00' },
      { ...digest, model: `m ${secret}`, ts: '2026-01-01' },
    ];
    // Fields other than those that memd writes.
    const foreign = [...exportLines(from)].map((line) =>
      line.replace('"payload":{', `"payload":{"note":{"${secret}":"${secret}"},"${secret}":1,`),
    );
    const lines = [...foreign, ...rows.map((row) => JSON.stringify(row))];
    await writeLines(fileOf('odd.ndjson'), lines);
    const to = newStore();
    expect(await takeIn(to, fileOf('odd.ndjson'))).toMatchObject({
      edges: 1,
      digests: 1,
      redacted: 4,
      bad: 1,
    });
    const body = bodyOf(to).join('\n');
    expect(body).not.toContain(secret);
    expect(body).toContain('"kind":"supersedes","evidence":"e","ts":"2026-01-01T00:00:00.000Z"');
  });
});
