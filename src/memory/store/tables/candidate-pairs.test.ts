import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventAt, newStore, summarised, type TestStore } from '../../../../test/support/store/store.ts';
import { pairHeldMs } from './candidate-pairs.ts';
import type { Edge } from './edges.ts';

let own: TestStore;
let ids: number[];
const now = Date.UTC(2026, 0, 2);

beforeEach(() => {
  own = newStore();
  ids = summarised(
    own.store,
    Array.from({ length: 8 }, (_, at) => eventAt(at)),
  );
});
afterEach(() => own.remove());

const id = (at: number): number => ids[at] ?? 0;
const doubt = (newer: number, older: number, weight = 1) => ({ from: id(newer), to: id(older), weight });
const edge = (newer: number, older: number, kind: Edge['kind'] = 'supersedes'): Edge => ({
  from: id(newer),
  to: id(older),
  kind,
  evidence: 'e',
  ts: '2026-01-01T00:00:00.000Z',
});
const claimed = (limit: number, at = now): string[] =>
  own.store.candidatePairs.claim(limit, at).map(({ from, to }) => `${ids.indexOf(from)}-${ids.indexOf(to)}`);

describe('pairs that wait', () => {
  test('come the most telling first, of these the newest, and nobody else gets one that is held', () => {
    own.store.candidatePairs.add([doubt(1, 0, 1), doubt(3, 2, 1), doubt(5, 4, 6)]);
    expect(claimed(2)).toEqual(['5-4', '3-2']);
    expect(claimed(2)).toEqual(['1-0']);
    expect(own.store.candidatePairs.someWaiting(now)).toBe(false);
    expect(claimed(5, now + pairHeldMs)).toEqual(['5-4', '3-2', '1-0']);
  });

  test('are noted once, whatever was noted or said of them before', () => {
    own.store.candidatePairs.add([doubt(1, 0), doubt(1, 0, 5), doubt(7, 99)]);
    const [one] = own.store.candidatePairs.claim(9, now);
    expect(one).toEqual({ ...doubt(1, 0), attempts: 0 });
    own.store.candidatePairs.settle(doubt(1, 0), null);
    own.store.candidatePairs.add([doubt(1, 0)]);
    expect(own.store.candidatePairs.someWaiting(now + 10 * pairHeldMs)).toBe(false);
  });

  test('are not asked about once one of them has been replaced, or once the pair has an edge', () => {
    own.store.candidatePairs.add([doubt(1, 0), doubt(3, 2), doubt(5, 4)]);
    own.store.edges.add([edge(7, 0), edge(3, 2, 'contradicts')]);
    expect(claimed(9)).toEqual(['5-4']);
  });

  test('are given back as they were', () => {
    own.store.candidatePairs.add([doubt(1, 0)]);
    const held = own.store.candidatePairs.claim(1, now);
    own.store.candidatePairs.release(held);
    expect(own.store.candidatePairs.claim(1, now)).toEqual(held);
  });

  test('are free when a clock that was set back since has held them', () => {
    own.store.candidatePairs.add([doubt(1, 0)]);
    expect(claimed(1, now + 100 * pairHeldMs)).toEqual(['1-0']);
    expect(claimed(1)).toEqual(['1-0']);
  });

  test('are bounded: what needs no answer goes first, then the least telling', () => {
    own.store.candidatePairs.add([
      doubt(1, 0, 1),
      doubt(2, 0, 6),
      doubt(3, 0, 2),
      doubt(4, 0, 6),
      doubt(7, 6, 6),
    ]);
    own.store.candidatePairs.settle(doubt(1, 0), null);
    own.store.candidatePairs.trim(4);
    expect(own.store.connection.get('SELECT count(*) AS n FROM doubts')).toEqual({ n: 5 });
    own.store.edges.add([edge(7, 5), edge(7, 6, 'contradicts')]);
    own.store.candidatePairs.trim(3);
    expect(claimed(9)).toEqual(['4-0', '2-0']);
    expect(own.store.connection.get('SELECT count(*) AS n FROM doubts')).toEqual({ n: 3 });
  });

  test('go with their memories', () => {
    own.store.candidatePairs.add([doubt(1, 0), doubt(3, 2)]);
    own.store.summaries.forget(id(0));
    own.store.summaries.forget(id(3));
    expect(own.store.connection.get('SELECT count(*) AS n FROM doubts')).toEqual({ n: 0 });
  });
});

describe('an answer', () => {
  test('that was none puts the pair behind the others, by itself, until it is given up', () => {
    own.store.candidatePairs.add([doubt(1, 0, 6), doubt(3, 2), doubt(5, 4, 5)]);
    own.store.candidatePairs.claim(9, now);
    expect(own.store.candidatePairs.fail(doubt(1, 0, 6), 3)).toBe(false);
    expect(own.store.candidatePairs.fail(doubt(5, 4, 5), 3)).toBe(false);
    expect(claimed(9, now + pairHeldMs)).toEqual(['3-2']);
    expect(claimed(9, now + pairHeldMs)).toEqual(['1-0']);
    expect(claimed(9, now + pairHeldMs)).toEqual(['5-4']);
    expect(own.store.candidatePairs.fail(doubt(1, 0), 3)).toBe(false);
    expect(own.store.candidatePairs.fail(doubt(1, 0), 3)).toBe(true);
    expect(own.store.candidatePairs.fail(doubt(1, 0), 3)).toBe(false);
    expect(claimed(9, now + 9 * pairHeldMs)).toEqual(['3-2']);
  });

  test('makes an edge once, and none if one was found meanwhile', () => {
    own.store.candidatePairs.add([doubt(1, 0), doubt(3, 2)]);
    expect(own.store.candidatePairs.settle(doubt(1, 0), edge(1, 0))).toBe(true);
    expect(own.store.candidatePairs.settle(doubt(1, 0), edge(1, 0, 'contradicts'))).toBe(false);
    own.store.edges.add([edge(3, 2, 'contradicts')]);
    expect(own.store.candidatePairs.settle(doubt(3, 2), edge(3, 2))).toBe(false);
    expect(own.store.edges.touching(ids).map(({ kind }) => kind)).toEqual(['supersedes', 'contradicts']);
  });

  test('about a pair that nobody noted makes none', () => {
    expect(own.store.candidatePairs.settle(doubt(1, 0), edge(1, 0))).toBe(false);
    expect(own.store.edges.touching(ids)).toEqual([]);
  });

  test('about a memory that was forgotten meanwhile makes none', () => {
    own.store.candidatePairs.add([doubt(1, 0)]);
    own.store.candidatePairs.claim(1, now);
    own.store.summaries.forget(id(0));
    expect(own.store.candidatePairs.settle(doubt(1, 0), edge(1, 0))).toBe(false);
  });
});
