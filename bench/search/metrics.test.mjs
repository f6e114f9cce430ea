import { describe, expect, test } from 'vitest';
import { figuresOf, means, withoutRepeats } from './metrics.mjs';

const order = (...ids) => ids.map((id) => ({ id, session: id === null ? null : `session of ${id}` }));

describe('the figures of one order', () => {
  const query = { relevant: { a: 2, b: 1, c: 1 }, sessions: ['session of a'] };

  test('nDCG@10: gain 2^grade - 1 over log2(place + 1), against the best order', () => {
    // Found: b at 1 (gain 1), a at 3 (gain 3 / 2). Best: a, b, c = 3 + 1 / 1.58496 + 1 / 2.
    const { ndcg10 } = figuresOf(query, order('b', 'x', 'a'));
    expect(ndcg10).toBeCloseTo((1 + 1.5) / (3 + 0.63093 + 0.5), 5);
    expect(figuresOf(query, order('a', 'b', 'c')).ndcg10).toBe(1);
  });

  test('hits and the reciprocal rank look no further than their depth', () => {
    const sixth = order('1', '2', '3', '4', '5', 'a');
    expect(figuresOf(query, sixth)).toMatchObject({ hit5: 0, hit10: 1, mrr10: 1 / 6 });
    const eleventh = order(...'0123456789', 'a');
    expect(figuresOf(query, eleventh)).toMatchObject({ ndcg10: 0, hit5: 0, hit10: 0, mrr10: 0 });
  });

  test('recall counts the share found, and all@5 wants every one', () => {
    expect(figuresOf(query, order('a', 'x', 'b'))).toMatchObject({ recall5: 2 / 3, all5: 0 });
    expect(figuresOf(query, order('c', 'x', 'b', 'y', 'a'))).toMatchObject({ recall5: 1, all5: 1 });
    expect(figuresOf(query, order('a', 'b', '1', '2', '3', 'c'))).toMatchObject({ recall10: 1, all5: 0 });
  });

  test('a session counts by its hits, and by different sessions', () => {
    const crowded = [
      ...Array.from({ length: 6 }, (_, at) => ({ id: `${at}`, session: 'other' })),
      ...order('a'),
    ];
    expect(figuresOf(query, crowded)).toMatchObject({ session5: 0, sessions5: 1 });
    expect(figuresOf(query, crowded.slice(2))).toMatchObject({ session5: 1, sessions5: 1 });
  });

  test('nothing found is nothing earned', () => {
    expect(Object.values(figuresOf(query, []))).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  test('an empty place keeps the others where they are; no session is none', () => {
    const query = { relevant: { a: 1 }, sessions: [null] };
    expect(figuresOf(query, order(null, null, 'a'))).toMatchObject({ mrr10: 1 / 3, session5: 0 });
  });

  test('a call that comes twice counts once, where it comes first', () => {
    expect(withoutRepeats(order('a', null, 'a', null, 'b'))).toEqual(order('a', null, null, 'b'));
    expect(figuresOf(query, order('x', 'x', 'a')).mrr10).toBe(1 / 2);
  });

  test("ids that are names of an object's own are ids like others", () => {
    expect(figuresOf(query, order('constructor', '__proto__')).ndcg10).toBe(0);
  });
});

test('means are over all queries, and none have none', () => {
  const query = { relevant: { a: 1 }, sessions: [] };
  const both = [figuresOf(query, order('a')), figuresOf(query, order('x', 'a'))];
  expect(means(both)).toMatchObject({ mrr10: 0.75, hit5: 1 });
  expect(means([])).toBeNull();
});
