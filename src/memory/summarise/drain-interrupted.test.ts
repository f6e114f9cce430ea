import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { leaseMs } from '#core/limits';
import { openStore } from '#memory/store';
import { allDone, Bench, backendOf, untouched, usage } from '../../../test/support/summarise/drain.ts';
import type { BatchOutcome, RawEvent } from './backend.ts';

let bench: Bench;

beforeEach(() => {
  bench = new Bench();
});
afterEach(() => {
  vi.useRealTimers();
  bench.remove();
});

describe('an outage', () => {
  test('ends the drain, counts against no row and gives all back', async () => {
    bench.fill(10);
    let turn = 0;
    const asked = backendOf((events) => {
      turn += 1;
      return turn === 1 ? allDone(events) : { kind: 'outage', error: 'fetch failed', retryable: true };
    });
    expect(await bench.run(asked)).toEqual({ processed: 4, firstError: 'fetch failed' });
    expect(asked.calls).toHaveLength(2);
    expect(bench.rows().slice(4)).toEqual(
      bench
        .rows()
        .slice(4)
        .map((row) => ({ ...row, ...untouched })),
    );
    expect(bench.reports).toEqual(['drain stopped by an outage {"backend":"local","error":"fetch failed"}']);
    expect(await bench.run(backendOf(allDone))).toEqual({ processed: 6 });
  });

  test('however often, makes no row skipped', async () => {
    bench.fill(1);
    for (let turn = 0; turn < 10; turn += 1) {
      await bench.run(backendOf(() => ({ kind: 'outage', error: 'down', retryable: true })));
    }
    expect(bench.row('ev_0')).toMatchObject(untouched);
  });

  test('is what a backend that throws is taken for', async () => {
    bench.fill(2);
    const asked = backendOf(() => {
      throw new TypeError('a bug');
    });
    expect(await bench.run(asked)).toEqual({ processed: 0, firstError: 'a bug' });
    expect(bench.rows()).toMatchObject([untouched, untouched]);
  });

  test('in the middle of a split keeps what was done and asks no more', async () => {
    bench.fill(4);
    let turn = 0;
    const asked = backendOf((events) => {
      turn += 1;
      if (turn === 1) return { kind: 'rejected', error: 'no JSON', usage };
      return turn === 2 ? allDone(events) : { kind: 'outage', error: 'down', retryable: true };
    });
    expect(await bench.run(asked)).toEqual({ processed: 2, firstError: 'down' });
    expect(asked.calls).toHaveLength(3);
    expect(bench.rows().slice(2)).toMatchObject([untouched, untouched]);
  });
});

describe('two drains in parallel', () => {
  test('never take the same row, and do all of them', async () => {
    bench.fill(40);
    const other = openStore(bench.file);
    const slow = (events: readonly RawEvent[]): Promise<BatchOutcome> =>
      new Promise((resolve) => setImmediate(() => resolve(allDone(events))));
    const one = backendOf(slow);
    const two = backendOf(slow);
    const results = await Promise.all([bench.run(one), bench.run(two, null, { store: other, owner: 'you' })]);
    other.close();
    const asked = [...one.calls, ...two.calls].flat();
    expect(asked).toHaveLength(40);
    expect(new Set(asked).size).toBe(40);
    expect(one.calls.length).toBeGreaterThan(0);
    expect(two.calls.length).toBeGreaterThan(0);
    expect(results.reduce((sum, result) => sum + result.processed, 0)).toBe(40);
    expect(bench.store.stats.counts()).toMatchObject({ summaries: 40, raw: 0 });
  });

  test('a lease is kept while the answer takes long', async () => {
    bench.fill(1);
    vi.useFakeTimers();
    let answer = (): void => {};
    const asked = backendOf(
      (events) =>
        new Promise((resolve) => {
          answer = () => resolve(allDone(events));
        }),
    );
    const draining = bench.run(asked);
    await vi.advanceTimersByTimeAsync(leaseMs * 2.5);
    expect(bench.store.events.claim('other', 0, 10, Date.now())).toEqual([]);
    answer();
    await vi.runAllTimersAsync();
    expect(await draining).toEqual({ processed: 1 });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('what was lost to another is not stored twice', async () => {
    bench.fill(1);
    const asked = backendOf((events) => {
      // The lease runs out, and another takes the row and is done with it first.
      const [row] = bench.store.events.claim('other', 0, 1, Date.now() + leaseMs);
      bench.store.summaries.finish('other', [
        { eventSeq: row?.seq ?? 0, text: 'theirs', terms: '', model: 'o' },
      ]);
      return allDone(events);
    });
    expect(await bench.run(asked)).toEqual({ processed: 0 });
    expect(bench.store.summaries.recent(10, null, {}).map((one) => one.text)).toEqual(['theirs']);
  });
});

describe('a drain that is stopped', () => {
  test('gives its rows back, is no outage and says what it had done', async () => {
    bench.fill(8);
    let turn = 0;
    const asked = backendOf((events, signal) => {
      turn += 1;
      if (turn === 1) return allDone(events);
      bench.stop.abort();
      return { kind: 'outage', error: String(signal.reason), retryable: true };
    });
    expect(await bench.run(asked)).toEqual({ processed: 4 });
    expect(bench.rows().slice(4)).toEqual(
      bench
        .rows()
        .slice(4)
        .map((row) => ({ ...row, ...untouched })),
    );
    expect(bench.reports).toEqual([]);
  });

  test('keeps an answer that came all the same', async () => {
    bench.fill(8);
    const asked = backendOf((events) => {
      bench.stop.abort();
      return allDone(events);
    });
    expect(await bench.run(asked)).toEqual({ processed: 4 });
    expect(asked.calls).toHaveLength(1);
  });

  test('is no failure when the backend throws for it', async () => {
    bench.fill(1);
    const asked = backendOf((_events, signal) => {
      bench.stop.abort();
      signal.throwIfAborted();
      throw new Error('not reached');
    });
    expect(await bench.run(asked)).toEqual({ processed: 0 });
    expect(bench.row('ev_0')).toMatchObject(untouched);
  });
});
