import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventAt, newStore, summarised, type TestStore } from '../../../../test/support/store/store.ts';
import { ForgottenTable } from './forgotten.ts';

let own: TestStore;
let forgotten: ForgottenTable;

beforeEach(() => {
  own = newStore();
  forgotten = new ForgottenTable(own.store);
});
afterEach(() => own.remove());

describe('what is forgotten', () => {
  test('is not stored again, and counts as a duplicate', () => {
    forgotten.add(['ev_1', 'ev_2'], '2026-01-01T00:00:00.000Z');
    expect(own.store.events.insert([1, 2, 3].map((at) => eventAt(at)))).toEqual({
      inserted: 1,
      duplicates: 2,
    });
    expect(own.store.stats.counts().events).toBe(1);
    expect(own.store.events.known(['ev_1', 'ev_3', 'ev_4'])).toEqual(new Set(['ev_1', 'ev_3']));
  });

  test('may come back when that is lifted', () => {
    forgotten.add(['ev_1', 'ev_2'], '2026-01-01T00:00:00.000Z');
    forgotten.add(['ev_1'], '2026-02-01T00:00:00.000Z');
    forgotten.lift(['ev_1', 'ev_9']);
    expect(forgotten.among(['ev_1', 'ev_2'])).toEqual(new Set(['ev_2']));
    expect(own.store.events.insert([eventAt(1)])).toEqual({ inserted: 1, duplicates: 0 });
  });

  test('is what forget removed', () => {
    const [id = 0] = summarised(own.store, [eventAt(1)]);
    expect(own.store.summaries.forget(id)).toBe(true);
    expect(forgotten.among(['ev_1'])).toEqual(new Set(['ev_1']));
    expect(own.store.events.insert([eventAt(1)])).toEqual({ inserted: 0, duplicates: 1 });
  });

  test('is looked up by its key, however many there are', () => {
    const plan = own.store.connection.all(
      'EXPLAIN QUERY PLAN SELECT 1 WHERE ?1 NOT IN (SELECT event_id FROM forgotten)',
      'ev_1',
    );
    expect(plan.map((row) => String(row.detail)).join('\n')).not.toMatch(/SCAN forgotten/);
  });
});
