import { expect, test } from 'vitest';
import { ordersOf } from './orders.mjs';

const query = { query: 'q', ts: '2026-01-01T00:00:00Z' };
const index = { grep: () => [{ id: 'a', session: 's' }], bm25: () => [] };
const calls = [
  { toolUseId: 'a', sessionId: 's' },
  { toolUseId: 'b', sessionId: 's' },
];
const callOf = (id) => ({ id: calls[id - 1].toolUseId, session: 's' });
const part = (contribution) => ({ contribution });
const ids = (order) => order.map(({ id }) => id);

test('a build that explains gives the orders of its legs, and their sum without any factor', async () => {
  const hits = [
    { ...calls[0], why: { bm25: part(0.01), vector: part(0), factors: { change: 3 } } },
    { ...calls[1], why: { bm25: part(0.01), vector: part(0), legs: { session: part(0.005) } } },
  ];
  const search = async () => ({ hits, legs: { bm25: [1, 2], vector: [], session: [2] } });
  const { orders } = await ordersOf(query, index, { search, callOf });
  expect(Object.fromEntries(Object.entries(orders).map(([name, order]) => [name, ids(order)]))).toEqual({
    'grep-like': ['a'],
    'BM25, raw calls': [],
    'leg: bm25': ['a', 'b'],
    'leg: vector': [],
    'leg: session': ['b'],
    'legs summed': ['b', 'a'],
    'fusion, no decay': ['a', 'b'],
    'fusion + decay': ['a', 'b'],
  });
});

test('a build that does not explain has no legs, and the rest all the same', async () => {
  const asked = [];
  const search = async (request) => {
    asked.push(request);
    return { hits: calls };
  };
  const { orders } = await ordersOf(query, index, { search, callOf });
  expect(Object.keys(orders)).toEqual(['grep-like', 'BM25, raw calls', 'fusion, no decay', 'fusion + decay']);
  expect(asked.map(({ asOf }) => asOf.slice(0, 4))).toEqual(['2026', '2026', '1970']);
});
