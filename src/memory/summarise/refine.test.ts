import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { leaseMs } from '#core/limits';
import { openStore, type Store } from '#memory/store';
import {
  type Asked,
  allDone,
  Bench,
  backendOf,
  draft,
  usage,
} from '../../../test/support/summarise/drain.ts';
import type { BatchOutcome, RawEvent } from './backend.ts';
import type { DrainOptions } from './drain.ts';
import { refine } from './refine.ts';

let bench: Bench;
const rough = backendOf(
  (events) => ({
    kind: 'done',
    answers: events.map(({ id }) => ({ text: `rough ${id}`, terms: '' })),
    usage,
  }),
  { name: 'builtin', model: 'builtin' },
);

beforeEach(() => {
  bench = new Bench();
});
afterEach(() => {
  bench.remove();
});

/** `count` events with a summary by the builtin summariser each. */
async function summarised(count: number): Promise<void> {
  bench.fill(count);
  await bench.run(rough);
}

function run({ backend }: Asked, limit: number | null = null, more: Partial<DrainOptions> = {}) {
  return refine(
    {
      store: bench.store,
      choose: async () => ({ backend }),
      batchSize: 4,
      attemptsMax: 3,
      owner: 'me',
      report: (message, fields) => bench.reports.push(`${message} ${JSON.stringify(fields)}`),
      signal: bench.stop.signal,
      yields: () => false,
      ...more,
    },
    limit,
  );
}

const texts = (store: Store = bench.store) =>
  store.connection.all('SELECT text FROM summaries ORDER BY id').map((row) => row.text);
const found = (word: string): number =>
  bench.store.connection.all('SELECT rowid FROM summaries_fts WHERE summaries_fts MATCH ?', word).length;
const settled = { status: 'summarized', attempts: 0, last_error: null, lease_owner: null };

describe('refining', () => {
  test('rewrites what the builtin summariser wrote, newest first, in batches', async () => {
    await summarised(6);
    const better = backendOf(allDone);
    expect(await run(better)).toEqual({ processed: 6 });
    expect(better.calls).toEqual([
      ['ev_5', 'ev_4', 'ev_3', 'ev_2'],
      ['ev_1', 'ev_0'],
    ]);
    expect(texts()).toEqual([0, 1, 2, 3, 4, 5].map((at) => `did ev_${at}`));
    expect(bench.store.connection.all('SELECT DISTINCT model FROM summaries')).toEqual([{ model: 'm' }]);
    expect(bench.rows()).toMatchObject(Array(6).fill(settled));
    expect(await run(better)).toEqual({ processed: 0 });
    expect(better.calls).toHaveLength(2);
  });

  test('takes the newest by time of the call, however late it was captured', async () => {
    await summarised(3);
    bench.store.connection.run("UPDATE summaries SET ts = '2020-01-01T00:00:00.000Z' WHERE id = 3");
    const better = backendOf(allDone);
    await run(better, 2);
    expect(better.calls).toEqual([['ev_1', 'ev_0']]);
    expect(texts()).toEqual(['did ev_0', 'did ev_1', 'rough ev_2']);
  });

  test('keeps id, time, pin and edges, and rebuilds what depends on the words', async () => {
    await summarised(2);
    const { connection, summaries, embeddings, edges } = bench.store;
    summaries.pin(1, true);
    connection.run(
      "INSERT INTO edges (from_id, to_id, kind, evidence, ts) VALUES (2, 1, 'supersedes', 'e', 't')",
    );
    embeddings.save('e', 1, [{ summaryId: 1, text: 'rough ev_0', dim: 1, vector: new Uint8Array(4) }]);
    connection.run('UPDATE summaries SET curated = 1');
    const before = summaries.get([1, 2]);
    await run(backendOf(allDone));
    expect(summaries.get([1, 2])).toEqual(
      before.map((one) => ({ ...one, text: `did ${one.eventId}`, model: 'm' })),
    );
    expect(edges.touching([1])).toHaveLength(1);
    expect(connection.all('SELECT curated FROM summaries')).toEqual([{ curated: 0 }, { curated: 0 }]);
    expect(bench.store.stats.counts()).toMatchObject({ summarized: 2, summaries: 2, embeddings: 0 });
    expect([found('rough'), found('did')]).toEqual([0, 2]);
  });

  test('touches neither raw rows nor what another model wrote', async () => {
    bench.fill(3);
    await bench.run(rough, 1);
    await bench.run(backendOf(allDone), 1);
    const better = backendOf(allDone, { model: 'best' });
    expect(await run(better)).toEqual({ processed: 1 });
    expect(better.calls).toEqual([['ev_0']]);
    expect(bench.row('ev_2')).toMatchObject({ status: 'raw', lease_owner: null });
  });

  test('ends before the next batch when new events come', async () => {
    await summarised(8);
    let turns = 0;
    const result = await run(backendOf(allDone), null, { yields: () => turns++ > 0 });
    expect(result).toEqual({ processed: 4 });
  });

  test('says why there is no better backend, and touches nothing', async () => {
    await summarised(1);
    const error = 'no better drain backend';
    expect(await run(backendOf(allDone), null, { choose: async () => ({ error }) })).toEqual({
      processed: 0,
      firstError: error,
    });
    expect(texts()).toEqual(['rough ev_0']);
  });
});

describe('a summary that the model cannot refine', () => {
  const withoutOne = backendOf((events) =>
    events.some(({ id }) => id === 'ev_1') ? { kind: 'rejected', error: 'no JSON', usage } : allDone(events),
  );

  test('keeps its words, is never skipped, and is not asked for again after three times', async () => {
    await summarised(4);
    expect(await run(withoutOne)).toEqual({ processed: 3, firstError: 'event ev_1: no JSON' });
    await run(withoutOne);
    expect(bench.store.events.someBuiltin(3)).toBe(true);
    expect(bench.reports).toEqual([]);
    await run(withoutOne);
    expect(bench.reports).toEqual(['summary not refined {"event":"ev_1","reason":"no JSON","attempts":3}']);
    expect(bench.row('ev_1')).toEqual({
      id: 'ev_1',
      status: 'summarized',
      attempts: 3,
      last_error: 'not refined: no JSON',
      lease_owner: null,
    });
    expect(texts()).toEqual(['did ev_0', 'rough ev_1', 'did ev_2', 'did ev_3']);
    expect(bench.store.events.someBuiltin(3)).toBe(false);
    expect(await run(withoutOne)).toEqual({ processed: 0 });
  });

  test('has all its attempts again when an operator sets it back to raw', async () => {
    await summarised(2);
    for (let turn = 0; turn < 3; turn += 1) await run(withoutOne);
    bench.store.connection.run("UPDATE events SET status = 'raw'");
    expect(await bench.run(rough)).toEqual({ processed: 2 });
    expect(bench.row('ev_1')).toMatchObject(settled);
    expect(await run(backendOf(allDone))).toEqual({ processed: 2 });
  });

  test('failures on the way to the first summary do not count', async () => {
    bench.fill(2);
    const error = { kind: 'rejected', error: 'no', usage } as const;
    for (let turn = 0; turn < 2; turn += 1) await bench.run(backendOf(() => error));
    expect(bench.row('ev_1')).toMatchObject({ attempts: 2 });
    await bench.run(rough);
    await run(withoutOne);
    await run(withoutOne);
    expect(bench.store.events.someBuiltin(3)).toBe(true);
  });
});

test('an outage ends it and marks nothing, however often', async () => {
  await summarised(6);
  for (let turn = 0; turn < 5; turn += 1) {
    const down = backendOf(() => ({ kind: 'outage', error: 'fetch failed', retryable: true }));
    expect(await run(down)).toEqual({ processed: 0, firstError: 'fetch failed' });
    expect(down.calls).toHaveLength(1);
  }
  expect(bench.rows()).toMatchObject(Array(6).fill(settled));
  expect(bench.reports[0]).toBe('refining stopped by an outage {"backend":"local","error":"fetch failed"}');
  expect(await run(backendOf(allDone))).toEqual({ processed: 6 });
});

test('one that is stopped gives its rows back and says what it had done', async () => {
  await summarised(6);
  let turn = 0;
  const result = await run(
    backendOf((events) => {
      turn += 1;
      if (turn > 1) bench.stop.abort();
      return turn > 1 ? { kind: 'outage', error: 'stopped', retryable: true } : allDone(events);
    }),
  );
  expect(result).toEqual({ processed: 4 });
  expect(bench.rows()).toMatchObject(Array(6).fill(settled));
});

describe('two runs in parallel', () => {
  test('never ask for the same row, and do all of them', async () => {
    await summarised(30);
    const other = openStore(bench.file);
    const slow = (events: readonly RawEvent[]): Promise<BatchOutcome> =>
      new Promise((resolve) => setImmediate(() => resolve(allDone(events))));
    const [one, two] = [backendOf(slow), backendOf(slow)];
    const results = await Promise.all([run(one), run(two, null, { store: other, owner: 'you' })]);
    other.close();
    const asked = [...one.calls, ...two.calls].flat();
    expect(asked).toHaveLength(30);
    expect(new Set(asked).size).toBe(30);
    expect(Math.min(one.calls.length, two.calls.length)).toBeGreaterThan(0);
    expect(results.reduce((sum, result) => sum + result.processed, 0)).toBe(30);
  });

  test('a dead one is seen among the owners, and its rows are given back or come free with the lease', async () => {
    await summarised(2);
    const { events } = bench.store;
    const now = Date.now();
    expect(events.claimBuiltin('dead', null, 3, 10, now)).toHaveLength(2);
    expect(events.leaseOwners(now)).toEqual(['dead']);
    expect(events.claimBuiltin('me', null, 3, 10, now)).toEqual([]);
    expect(events.claimBuiltin('me', null, 3, 1, now + leaseMs)).toHaveLength(1);
    events.releaseAll('dead');
    expect(events.claimBuiltin('me', null, 3, 10, now + leaseMs)).toHaveLength(1);
  });

  test('an event set back to raw meanwhile, or forgotten, is left alone', async () => {
    await summarised(3);
    const better = backendOf((events) => {
      bench.store.connection.run("UPDATE events SET status = 'raw' WHERE id = 'ev_0'");
      bench.store.summaries.forget(2);
      return { kind: 'done', answers: events.map(draft), usage };
    });
    expect(await run(better)).toEqual({ processed: 1 });
    expect(texts()).toEqual(['rough ev_0', 'did ev_2']);
    expect(bench.row('ev_0')).toMatchObject({ status: 'raw' });
  });
});

test('a claim follows its index: the newest builtin ones, without a look at all the others', () => {
  const plan = bench.store.connection
    .all(`EXPLAIN QUERY PLAN SELECT e.seq FROM summaries s JOIN events e ON e.id = s.event_id
      WHERE s.model = 'builtin' AND (s.ts, s.id) < ('x', 0) ORDER BY s.ts DESC, s.id DESC LIMIT 4`)
    .map((row) => String(row.detail));
  expect(plan[0]).toContain('summaries_builtin');
  expect(plan.join()).not.toContain('TEMP B-TREE');
});
