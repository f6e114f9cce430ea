import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { allDone, Bench, backendOf, draft, untouched, usage } from '../../../test/support/summarise/drain.ts';
import type { RawEvent } from './backend.ts';

let bench: Bench;

beforeEach(() => {
  bench = new Bench();
});
afterEach(() => {
  bench.remove();
});

describe('drain', () => {
  test('summarises all raw events, oldest first, in batches', async () => {
    bench.fill(10);
    const asked = backendOf(allDone);
    expect(await bench.run(asked)).toEqual({ processed: 10 });
    expect(asked.calls).toEqual([
      ['ev_0', 'ev_1', 'ev_2', 'ev_3'],
      ['ev_4', 'ev_5', 'ev_6', 'ev_7'],
      ['ev_8', 'ev_9'],
    ]);
    expect(bench.store.stats.counts()).toMatchObject({ raw: 0, summarized: 10, summaries: 10 });
    expect(bench.rows().every((row) => row.lease_owner === null)).toBe(true);
    expect(bench.store.summaries.recent(1, null, {})[0]).toMatchObject({
      text: 'did ev_9',
      model: 'm',
      eventId: 'ev_9',
    });
    expect(await bench.run(asked)).toEqual({ processed: 0 });
  });

  test('takes at most `limit`, and no more in a batch than the backend can', async () => {
    bench.fill(10);
    const asked = backendOf(allDone, { batchMax: 3 });
    expect(await bench.run(asked, 5)).toEqual({ processed: 5 });
    expect(asked.calls.map((call) => call.length)).toEqual([3, 2]);
    expect(await bench.run(asked, 0)).toEqual({ processed: 0 });
    expect(bench.store.stats.counts().raw).toBe(5);
  });

  test('gives the builtin summariser batches of its own size', async () => {
    bench.fill(10);
    const asked = backendOf(allDone, { name: 'builtin', batchMax: 8 });
    await bench.run(asked);
    expect(asked.calls.map((call) => call.length)).toEqual([8, 2]);
  });

  test('says why there is no backend, and touches nothing', async () => {
    bench.fill(2);
    const error = 'no drain backend available: start one';
    expect(await bench.run(backendOf(allDone), null, { choose: async () => ({ error }) })).toEqual({
      processed: 0,
      firstError: error,
    });
    expect(bench.rows()).toMatchObject([untouched, untouched]);
  });

  test('counts what a local model did, and leaves the hosted one to its budget', async () => {
    bench.fill(2);
    const day = new Date().toISOString().slice(0, 10);
    await bench.run(backendOf(allDone), 1);
    expect(bench.store.usage.of(day)).toEqual([
      { day, backend: 'local', model: 'm', ...usage, costMicroUsd: 0 },
    ]);
    await bench.run(backendOf(allDone, { name: 'hosted', model: 'h' }), 1);
    expect(bench.store.usage.of(day)).toHaveLength(1);
  });
});

describe('a bad row', () => {
  const bad = (event: RawEvent): boolean => event.id === 'ev_5';

  test('is found by splitting the batch that is rejected; its mates are done in the same drain', async () => {
    bench.fill(8);
    const asked = backendOf((events) =>
      events.some(bad) ? { kind: 'rejected', error: 'no JSON', usage } : allDone(events),
    );
    const result = await bench.run(asked, null, { batchSize: 8 });
    expect(result).toEqual({ processed: 7, firstError: 'event ev_5: no JSON' });
    expect(bench.row('ev_5')).toMatchObject({
      status: 'raw',
      attempts: 1,
      last_error: 'no JSON',
      lease_owner: null,
    });
    // Whole, two halves, and so on down to the one: the depth of the split, not its breadth.
    expect(asked.calls).toHaveLength(7);
    // Tried once a drain.
    expect(asked.calls.filter((call) => call.length === 1 && call[0] === 'ev_5')).toHaveLength(1);
  });

  test('becomes skipped with its third attempt, and its reason is logged', async () => {
    bench.fill(8);
    const asked = backendOf((events) => ({
      kind: 'done',
      answers: events.map((event) => (bad(event) ? { error: 'too odd' } : draft(event))),
      usage,
    }));
    expect((await bench.run(asked)).processed).toBe(7);
    expect(await bench.run(asked)).toEqual({ processed: 0, firstError: 'event ev_5: too odd' });
    expect(bench.reports).toEqual([]);
    await bench.run(asked);
    expect(bench.row('ev_5')).toMatchObject({ status: 'skipped', attempts: 3, last_error: 'too odd' });
    expect(bench.reports).toEqual(['event skipped {"event":"ev_5","reason":"too odd","attempts":3}']);
    expect(await bench.run(asked)).toEqual({ processed: 0 });
    expect(bench.store.stats.counts()).toMatchObject({ summarized: 7, skipped: 1, raw: 0 });
  });

  test('that got no answer in a batch is asked for alone before that counts against it', async () => {
    bench.fill(4);
    const asked = backendOf((events) =>
      events.length > 1
        ? { kind: 'done', answers: events.slice(1).map(draft).slice(0, 2), usage }
        : allDone(events),
    );
    expect(await bench.run(asked)).toEqual({ processed: 4 });
    expect(asked.calls).toEqual([['ev_0', 'ev_1', 'ev_2', 'ev_3'], ['ev_2'], ['ev_3']]);
  });

  test('whose payload is malformed never reaches the backend', async () => {
    bench.fill(3);
    bench.store.connection.run(`UPDATE events SET payload_json = '{"tool":"Bash","inp' WHERE id = 'ev_1'`);
    const asked = backendOf(allDone);
    const result = await bench.run(asked);
    expect(result.processed).toBe(2);
    expect(result.firstError).toMatch(/^event ev_1: malformed payload: SyntaxError/);
    expect(asked.calls).toEqual([['ev_0', 'ev_2']]);
    for (let turn = 0; turn < 2; turn += 1) await bench.run(asked);
    expect(bench.row('ev_1')).toMatchObject({ status: 'skipped', attempts: 3 });
    expect(asked.calls).toHaveLength(1);
  });

  test('that an operator repairs and sets back to raw is drained again', async () => {
    bench.fill(1);
    const good = bench.store.connection.get('SELECT payload_json AS p FROM events')?.p;
    bench.store.connection.run("UPDATE events SET payload_json = '{'");
    for (let turn = 0; turn < 3; turn += 1) await bench.run(backendOf(allDone));
    expect(bench.row('ev_0')).toMatchObject({ status: 'skipped' });
    bench.store.connection.run("UPDATE events SET status = 'raw', payload_json = ?", String(good));
    expect(await bench.run(backendOf(allDone))).toEqual({ processed: 1 });
  });

  test('does not keep its drain from the rows behind it', async () => {
    bench.fill(9);
    const asked = backendOf((events) => ({
      kind: 'done',
      answers: events.map((event) =>
        ['ev_0', 'ev_1', 'ev_2', 'ev_3'].includes(event.id) ? { error: 'bad' } : draft(event),
      ),
      usage,
    }));
    expect(await bench.run(asked)).toMatchObject({ processed: 5 });
  });
});
