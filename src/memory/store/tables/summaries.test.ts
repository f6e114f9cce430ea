import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packVector } from '#memory/vector';
import {
  eventAt,
  newStore,
  storedVectors,
  summarised,
  type TestStore,
} from '../../../../test/support/store/store.ts';
import { SearchReads } from '../reads/search-reads.ts';
import type { Store } from '../store.ts';
import { graphNodesMax } from './edges.ts';
import { refusedVector } from './embeddings.ts';

let own: TestStore;
let store: Store;

beforeEach(() => {
  own = newStore();
  store = own.store;
});
afterEach(() => own.remove());

const found = (word: string): number[] =>
  store.connection
    .all('SELECT rowid AS id FROM summaries_fts WHERE summaries_fts MATCH ? ORDER BY rowid', word)
    .map((row) => Number(row.id));
const numberOf = (sql: string): number => Number(store.connection.get(`SELECT (${sql}) AS n`)?.n);
const vector = packVector(Float32Array.of(1, 0));

const emptiesAndFills = `
  const { parentPort, receiveMessageOnPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('@photostructure/sqlite');
  const database = new DatabaseSync(workerData);
  database.exec('PRAGMA busy_timeout = 10000');
  parentPort.postMessage('begun');
  while (receiveMessageOnPort(parentPort) === undefined) {
    database.exec('DELETE FROM summaries_fts');
    database.exec("INSERT OR REPLACE INTO summaries_fts (rowid, text, terms) SELECT id, text, terms FROM summaries");
  }
  database.close();
  parentPort.close();
`;

function embed(id: number, text: string): number {
  return store.embeddings.save('e', 1, [{ summaryId: id, text, vector, dim: 2 }]);
}

function link(from: number, to: number, kind = 'supersedes'): void {
  const sql =
    "INSERT INTO edges (from_id, to_id, kind, evidence, ts) VALUES (?, ?, ?, 'why', '2026-01-01T00:00:00.000Z')";
  store.connection.run(sql, from, to, kind);
}

describe('finish', () => {
  test('makes a summary that is found, and the event summarized', () => {
    const [id = 0] = summarised(store, [eventAt(1)], () => 'renamed the flux capacitor');
    expect(store.summaries.get([id])).toEqual([
      {
        id,
        eventId: 'ev_1',
        toolUseId: 'call_1',
        text: 'renamed the flux capacitor',
        model: 'm',
        ts: '2026-01-01T12:00:01.000Z',
        tool: 'Bash',
        sessionId: 's1',
        pinned: false,
        kind: 'call',
      },
    ]);
    expect(found('capacitor')).toEqual([id]);
    expect(store.stats.counts()).toEqual({
      events: 1,
      messages: 0,
      raw: 0,
      summarized: 1,
      skipped: 0,
      summaries: 1,
      embeddings: 0,
    });
  });

  test('counts only rows that are still held', () => {
    store.events.insert([eventAt(1)]);
    const [row] = store.events.claim('a', 0, 1, 0);
    const summary = { eventSeq: row?.seq ?? 0, text: 't', terms: '', model: 'm' };
    expect(store.summaries.finish('b', [summary])).toBe(0);
    expect(store.summaries.finish('a', [summary, summary])).toBe(1);
    expect(store.stats.counts().summaries).toBe(1);
  });

  test('replaces in place what an event had: id, pin and edges stay, index and vector follow', () => {
    const [id = 0, other = 0] = summarised(store, [eventAt(1), eventAt(2)], (at) => `ancient words ${at}`);
    store.summaries.pin(id, true);
    link(id, other);
    expect(embed(id, 'ancient words 0')).toBe(1);
    store.connection.run("UPDATE events SET status = 'raw' WHERE id = 'ev_1'");
    const [row] = store.events.claim('b', 0, 1, 0);
    store.summaries.finish('b', [{ eventSeq: row?.seq ?? 0, text: 'modern', terms: 'zeta', model: 'm2' }]);
    expect(store.summaries.get([id])).toMatchObject([{ id, text: 'modern', model: 'm2', pinned: true }]);
    expect(found('ancient')).toEqual([other]);
    expect(found('zeta')).toEqual([id]);
    expect(store.edges.touching([id])).toHaveLength(1);
    expect(store.embeddings.describe(id)).toBeNull();
    expect(store.stats.counts()).toMatchObject({ summaries: 2, embeddings: 0 });
  });
});

describe('forget', () => {
  test('removes the event, the summary, the index entry, the vector and the edges', () => {
    const [id = 0, other = 0] = summarised(store, [eventAt(1), eventAt(2)], (at) =>
      at === 0 ? 'secret plan' : 'kept',
    );
    embed(id, 'secret plan');
    link(id, other);
    link(other, id, 'contradicts');
    expect(store.summaries.forget(id)).toBe(true);
    expect(store.summaries.get([id])).toEqual([]);
    expect(found('secret')).toEqual([]);
    expect(found('kept')).toEqual([other]);
    expect(numberOf("SELECT count(*) FROM events WHERE id = 'ev_1'")).toBe(0);
    expect(numberOf('SELECT count(*) FROM summary_embeddings')).toBe(0);
    expect(numberOf('SELECT count(*) FROM edges')).toBe(0);
    expect(store.summaries.forget(id)).toBe(false);
  });

  test('leaves no word of it in the vocabulary of the index', () => {
    const [id = 0] = summarised(store, [eventAt(1), eventAt(2)], (at) => (at === 0 ? 'xylophone' : 'kept'));
    store.summaries.forget(id);
    const reads = new SearchReads(store);
    expect([...reads.documentFrequency(['xylophone', 'kept']).keys()]).toEqual(['kept']);
  });
});

describe('the index', () => {
  test('is rebuilt when it is empty although summaries exist, and only then', () => {
    const ids = summarised(store, [eventAt(1), eventAt(2)], (at) => `wombat ${at}`);
    expect(store.summaries.rebuildIndex()).toBe(0);
    store.connection.run('DELETE FROM summaries_fts');
    expect(found('wombat')).toEqual([]);
    expect(store.summaries.rebuildIndex()).toBe(2);
    expect(found('wombat')).toEqual(ids);
  });

  test('is rebuilt while another thread empties and fills it', async () => {
    const ids = summarised(store, [eventAt(1), eventAt(2)], (at) => `wombat ${at}`);
    const other = new Worker(emptiesAndFills, { eval: true, workerData: own.file });
    try {
      await once(other, 'message');
      for (let round = 0; round < 300; round += 1) store.summaries.rebuildIndex();
      other.postMessage('end');
      await once(other, 'exit');
      store.summaries.rebuildIndex();
      expect(found('wombat')).toEqual(ids);
    } finally {
      await other.terminate();
    }
  });
});

describe('recent', () => {
  const idsOf = (limit: number, before: number | string | null = null, filter = {}): number[] =>
    store.summaries.recent(limit, before, filter).map((summary) => summary.id);

  test('lists by time, newest first, then by id, and pages by the last id', () => {
    const same = eventAt(5).ts;
    const [a = 0, b = 0, c = 0, d = 0] = summarised(store, [
      eventAt(9),
      eventAt(2, { ts: same }),
      eventAt(3, { ts: same }),
      eventAt(4, { ts: eventAt(1).ts }),
    ]);
    expect(idsOf(10)).toEqual([a, c, b, d]);
    expect(idsOf(2)).toEqual([a, c]);
    expect(idsOf(2, c)).toEqual([b, d]);
    expect(idsOf(2, d)).toEqual([]);
    expect(idsOf(10, same)).toEqual([d]);
    expect(idsOf(10, eventAt(9).ts)).toEqual([c, b, d]);
    expect(idsOf(10, 999)).toEqual([]);
  });

  test('is narrowed to a session and a tool', () => {
    const [a = 0, b = 0, c = 0] = summarised(store, [
      eventAt(1),
      eventAt(2, { sessionId: 's2' }),
      eventAt(3, { sessionId: 's2', tool: 'Read' }),
    ]);
    expect(idsOf(10, null, { session: 's2' })).toEqual([c, b]);
    expect(idsOf(10, null, { tool: 'Bash' })).toEqual([b, a]);
    expect(idsOf(10, c, { session: 's2', tool: 'Bash' })).toEqual([b]);
    expect(idsOf(10, null, { session: 'none' })).toEqual([]);
  });
});

describe('get, pin, payload', () => {
  test('gets in the order asked for, without what is not there', () => {
    const [a = 0, b = 0] = summarised(store, [eventAt(1), eventAt(2)]);
    expect(store.summaries.get([b, 999, a]).map((one) => one.id)).toEqual([b, a]);
  });

  test('pins and unpins, and says when there is nothing to pin', () => {
    const [a = 0] = summarised(store, [eventAt(1)]);
    expect(store.summaries.pin(a, true)).toBe(true);
    expect(store.summaries.get([a])[0]?.pinned).toBe(true);
    expect(store.summaries.pin(a, false)).toBe(true);
    expect(store.summaries.get([a])[0]?.pinned).toBe(false);
    expect(store.summaries.pin(999, true)).toBe(false);
  });

  test('has the payload as stored', () => {
    const [a = 0] = summarised(store, [eventAt(1)]);
    expect(JSON.parse(store.summaries.payloadJson(a) ?? '')).toMatchObject({
      tool: 'Bash',
      input: { command: 'step 1' },
    });
    expect(store.summaries.payloadJson(999)).toBeNull();
  });
});

describe('edges', () => {
  test('the neighbourhood is nearest first, within its depth, with the edges inside it', () => {
    const [a = 0, b = 0, c = 0, d = 0] = summarised(
      store,
      [1, 2, 3, 4].map((at) => eventAt(at)),
    );
    link(b, a);
    link(c, b);
    link(d, c, 'contradicts');
    expect(store.edges.neighbourhood(a, 1)).toMatchObject({ ids: [a, b], edges: [{ from: b, to: a }] });
    expect(store.edges.neighbourhood(a, 3).ids).toEqual([a, b, c, d]);
    expect(store.edges.neighbourhood(a, 3).edges).toHaveLength(3);
    expect(store.edges.neighbourhood(a, 0)).toEqual({ ids: [a], edges: [] });
    expect(store.edges.superseding([a, b, c])).toMatchObject([
      { from: b, to: a },
      { from: c, to: b },
    ]);
  });

  test('the neighbourhood is bounded, also around a hub', () => {
    const ids = summarised(
      store,
      Array.from({ length: graphNodesMax + 50 }, (_, at) => eventAt(at)),
    );
    const [hub = 0, ...others] = ids;
    for (const other of others) link(other, hub);
    const { ids: near, edges } = store.edges.neighbourhood(hub, 5);
    expect(near).toHaveLength(graphNodesMax);
    expect(edges.every((edge) => near.includes(edge.from) && near.includes(edge.to))).toBe(true);
  });
});

describe('embeddings', () => {
  test('are missing until saved, and again for another embedder, version or dimension', () => {
    const [a = 0, b = 0] = summarised(store, [eventAt(1), eventAt(2)]);
    expect(
      store.embeddings.missing({ name: 'e', version: 1, dim: 2 }, 0, 10).map((one) => one.summaryId),
    ).toEqual([a, b]);
    expect(embed(a, 'did 0')).toBe(1);
    expect(
      store.embeddings.missing({ name: 'e', version: 1, dim: 2 }, 0, 10).map((one) => one.summaryId),
    ).toEqual([b]);
    expect(store.embeddings.missing({ name: 'e', version: 2, dim: 2 }, 0, 10)).toHaveLength(2);
    expect(
      store.embeddings.missing({ name: 'f', version: 1, dim: 2 }, a, 10).map((one) => one.summaryId),
    ).toEqual([b]);
    expect(store.embeddings.missing({ name: 'e', version: 1, dim: 3 }, 0, 10)).toHaveLength(2);
    expect(store.embeddings.describe(a)).toEqual({ embedder: 'e', dim: 2 });
    store.connection.run('DELETE FROM summary_embeddings');
    expect(store.embeddings.missing({ name: 'e', version: 1, dim: 2 }, 0, 10)).toHaveLength(2);
  });

  test('of a refused text are not missing for the embedder that has refused it, and for another one they are', () => {
    const [a = 0] = summarised(store, [eventAt(1)]);
    store.embeddings.save('e', 1, [{ summaryId: a, text: 'did 0', dim: 0, vector: refusedVector }]);
    expect(store.embeddings.missing({ name: 'e', version: 1, dim: 2 }, 0, 10)).toEqual([]);
    expect(store.embeddings.missing({ name: 'e', version: 2, dim: 2 }, 0, 10)).toHaveLength(1);
  });

  test('of a text that has changed since, or of a summary that is gone, are not stored', () => {
    const [a = 0] = summarised(store, [eventAt(1)]);
    expect(embed(a, 'what it was')).toBe(0);
    expect(embed(999, 'did 0')).toBe(0);
    expect(store.stats.counts().embeddings).toBe(0);
  });

  test('come in the order they were stored, a re-made one as new', () => {
    const [a = 0, b = 0] = summarised(store, [eventAt(1), eventAt(2)]);
    embed(a, 'did 0');
    embed(b, 'did 1');
    embed(a, 'did 0');
    const all = storedVectors(store, 'e', 1);
    expect(all.map((one) => one.summaryId)).toEqual([b, a]);
    expect(all.map((one) => [...one.vector])).toEqual([[...vector], [...vector]]);
    expect(store.embeddings.countAll()).toBe(2);
  });
});
