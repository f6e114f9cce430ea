import { expect, test } from 'vitest';
import { deterministicEmbedder, type Embedder } from '#memory/embed';
import { TestMemories } from '../../../test/support/search/memories.ts';
import { Searcher } from './searcher.ts';

test('a model counts by its cosines: nearly as near is worth nearly as much, and the numbers add up', async () => {
  const model: Embedder = {
    ...deterministicEmbedder(),
    name: 'ollama:m',
    neighbourhood: null,
    byScore: true,
    legWeight: 0.75,
  };
  const parts = { embedder: { current: () => Promise.resolve(model), failed: () => {} } };
  const texts = ['redis', 'the redis of old', 'redis caches', 'nothing'].map((text) => ({ text }));
  const store = new TestMemories();
  const ids = store.add(texts);
  const settings = { topK: 10, halfLifeDays: 30, decayFloor: 0.8, rrfK: 60 };
  const searcher = new Searcher({ store: store.reads, settings, now: () => Date.UTC(2026, 2), ...parts });
  const [query = new Float32Array()] = await model.embed(['redis'], new AbortController().signal);
  // A quarter of the way from the best to the last.
  const cosines = [1, 0.9, 0.6];
  const other = Float32Array.from(query, (_, at) => (at === query.indexOf(0) ? 1 : 0));
  for (const [at, cosine] of cosines.entries()) {
    const sine = Math.sqrt(1 - cosine ** 2);
    store.putVector(
      model,
      ids[at] ?? 0,
      query.map((value, k) => cosine * value + sine * (other[k] ?? 0)),
    );
  }
  const { hits } = await searcher.explained({ query: 'redis' });
  const whyOf = (at: number) => hits.find(({ id }) => id === ids[at])?.why;
  const shares = [0, 1, 2].map((at) => (whyOf(at)?.vector.contribution ?? 0) * (61 / 0.75));
  for (const [at, share] of [1, 0.75, 0].entries()) expect(shares[at]).toBeCloseTo(share, 1);
  for (const { why, score } of hits) {
    const legs = Object.values(why.legs ?? {}).reduce((sum, { contribution }) => sum + contribution, 0);
    const factors = Object.values(why.factors ?? {}).reduce((all, one) => all * one, why.decay.factor);
    const sum = why.bm25.contribution + why.vector.contribution + legs;
    expect(Math.abs(sum * factors - score)).toBeLessThan(1e-9);
  }
  store.close();
});

test('the last of a model still comes above the nearer memory that it supersedes', async () => {
  const model: Embedder = {
    ...deterministicEmbedder(),
    name: 'ollama:m',
    neighbourhood: null,
    byScore: true,
  };
  const parts = { embedder: { current: () => Promise.resolve(model), failed: () => {} } };
  const store = new TestMemories();
  const [older = 0, newer = 0] = store.add([{ text: 'the sluice' }, { text: 'the weir' }]);
  store.supersede(newer, older);
  const settings = { topK: 10, halfLifeDays: 30, decayFloor: 0.8, rrfK: 60 };
  const searcher = new Searcher({ store: store.reads, settings, now: () => Date.UTC(2026, 2), ...parts });
  const [query = new Float32Array()] = await model.embed(['redis'], new AbortController().signal);
  const other = Float32Array.from(query, (_, at) => (at === query.indexOf(0) ? 1 : 0));
  store.putVector(model, older, query);
  store.putVector(
    model,
    newer,
    query.map((value, k) => 0.8 * value + 0.6 * (other[k] ?? 0)),
  );
  const { hits } = await searcher.explained({ query: 'redis' });
  expect(hits.map(({ id }) => id)).toEqual([newer, older]);
  store.close();
});
