import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventAt, newStore, summarised, type TestStore } from '../../../../test/support/store/store.ts';
import type { Store } from '../store.ts';

let own: TestStore;
let store: Store;

beforeEach(() => {
  own = newStore();
  store = own.store;
});
afterEach(() => own.remove());

const about = (ids: readonly number[], key = 7): void => {
  for (const id of ids) store.subjects.save(id, [{ key, outcome: 'read' }]);
};

describe('uncurated', () => {
  test('gives those that nobody has looked at, by the time of their events', () => {
    const [late = 0, early = 0, seen = 0] = summarised(store, [eventAt(9), eventAt(1), eventAt(5)]);
    store.subjects.save(seen, []);
    expect(store.subjects.uncurated(10)).toEqual([early, late]);
    expect(store.subjects.uncurated(1)).toEqual([late]);
  });

  test('a summary whose event is summarised again counts as not looked at', () => {
    const [id = 0] = summarised(store, [eventAt(1)]);
    about([id]);
    store.connection.run("UPDATE events SET status = 'raw'");
    const [row] = store.events.claim('b', 0, 1, 0);
    store.summaries.finish('b', [{ eventSeq: row?.seq ?? 0, text: 'again', terms: '', model: 'm' }]);
    expect(store.subjects.uncurated(10)).toEqual([id]);
    expect(store.subjects.near(7, 0, 10)).toEqual([]);
  });
});

describe('near', () => {
  test('gives the nearest on both sides, without the one asked about', () => {
    const ids = summarised(
      store,
      [1, 2, 3, 4, 5].map((at) => eventAt(at)),
    );
    about(ids);
    const [first = 0, second = 0, third = 0, fourth = 0] = ids;
    expect(store.subjects.near(7, third, 1)).toEqual([second, fourth]);
    expect(store.subjects.near(8, third, 1)).toEqual([]);
    expect(store.subjects.first(7, 1)).toEqual([first]);
  });
});

describe('save', () => {
  test('puts what is found in place of what was', () => {
    const [id = 0] = summarised(store, [eventAt(1)]);
    about([id], 7);
    about([id], 8);
    expect(store.subjects.near(7, 0, 10)).toEqual([]);
    expect(store.subjects.near(8, 0, 10)).toEqual([id]);
  });
});

describe('edges', () => {
  test('are stored once, and only between summaries that are there', () => {
    const [older = 0, newer = 0] = summarised(store, [eventAt(1), eventAt(2)]);
    const edge = { from: newer, to: older, kind: 'supersedes', evidence: 'first', ts: 't' } as const;
    expect(store.edges.add([edge, { ...edge, evidence: 'second' }, { ...edge, to: 99 }])).toBe(1);
    expect(store.edges.touching([older])).toEqual([edge]);
  });
});
