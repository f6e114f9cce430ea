import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { deterministicEmbedder, type Embedder } from '#memory/embed';
import { runs } from '../../../test/support/runs.ts';
import { type Memory, TestMemories } from '../../../test/support/search/memories.ts';
import type { SearcherParts } from './candidates.ts';
import { lexicalTermsMax } from './legs.ts';
import { Searcher } from './searcher.ts';

const deterministic = deterministicEmbedder();
const settings = { topK: 10, halfLifeDays: 30, decayFloor: 0.8, rrfK: 60 };
const wide = { ...settings, topK: 200 };
const now = () => Date.parse('2026-03-01T00:00:00Z');
const stores = new Set<TestMemories>();

afterEach(() => {
  for (const store of stores) store.close();
  stores.clear();
});

async function searcherOver(
  memories: readonly Memory[],
  more: Partial<SearcherParts> = {},
  store = new TestMemories(),
) {
  stores.add(store);
  const ids = store.add(memories);
  await store.embed(deterministic, ids);
  const parts = { store: store.reads, embedder: always(deterministic), settings, now };
  const searcher = new Searcher({ ...parts, ...more });
  return { store, searcher, ids };
}

function always(embedder: Embedder): SearcherParts['embedder'] {
  return { current: () => Promise.resolve(embedder), failed: () => {} };
}

test('finds by word and explains the place', async () => {
  const { searcher, ids } = await searcherOver([
    { text: 'Moved the session cache to redis' },
    { text: 'Wrote the release notes' },
  ]);
  const hits = (await searcher.found({ query: 'redis caching' })).hits;
  expect(hits.map(({ id }) => id)).toEqual([ids[0]]);
  const why = await searcher.why({ query: 'redis caching', id: ids[0] ?? 0 });
  expect(why?.rrf).toEqual({ score: hits[0]?.score, rank: 1 });
  expect(why?.explanation).toMatch(
    /^matched redis, caching \(BM25 rank 1\) · similar 0\.\d\d by deterministic \(rank 1, weight [\d.]+\) · /,
  );
  expect(why?.explanation).toMatch(
    / · no neighbouring call matches \(session rank 1\) · 59 days old, decay 0\.993$/,
  );
});

test('explained, a search gives the same hits, the numbers of why, and each leg whole', async () => {
  const { searcher, ids } = await searcherOver([
    { text: 'Moved the session cache to redis' },
    { text: 'Wrote the release notes of redis', session: 's2' },
    { text: 'unrelated', session: 's3' },
  ]);
  const request = { query: 'redis caching', topK: 1 };
  const { hits, legs } = await searcher.explained(request);
  expect(hits.map(({ why: _why, ...hit }) => hit)).toEqual((await searcher.found(request)).hits);
  expect(hits[0]?.why).toEqual(await searcher.why({ ...request, id: ids[0] ?? 0 }));
  expect(legs).toMatchObject({ bm25: [ids[0], ids[1]], session: [ids[0], ids[1]] });
});

test('a query that says nothing finds nothing', async () => {
  const { searcher, ids } = await searcherOver([{ text: 'the what and the if' }]);
  for (const query of ['', '   ', 'the', 'what is it', '🚀🚀', '"" * : ^ ( ) - +']) {
    expect((await searcher.found({ query })).hits).toEqual([]);
    const why = await searcher.why({ query, id: ids[0] ?? 0 });
    expect(why?.rrf).toEqual({ score: 0, rank: null });
  }
});

test('a summary that is not found still gets its numbers; one that is not there gets null', async () => {
  const { searcher, ids } = await searcherOver([{ text: 'redis' }, { text: 'Wrote the release notes' }]);
  const why = await searcher.why({ query: 'redis', id: ids[1] ?? 0 });
  expect(why).toMatchObject({
    bm25: { rank: null, score: null, contribution: 0 },
    vector: { rank: null, similarity: null, contribution: 0 },
    rrf: { score: 0, rank: null },
  });
  expect(why?.explanation).toContain('not found by this query');
  expect(await searcher.why({ query: 'redis', id: 4711 })).toBeNull();
});

test('words that no summary has still count as words: hits of the vectors are explained', async () => {
  const { store, searcher, ids } = await searcherOver([{ text: 'redis' }]);
  const [id = 0] = ids;
  // More than are asked for whether they are known or not.
  const query = Array.from({ length: lexicalTermsMax + 1 }, (_, at) => `unheard${at}of`).join(' ');
  const [vector = new Float32Array()] = await deterministic.embed([query], new AbortController().signal);
  store.putVector(deterministic, id, vector);
  expect((await searcher.found({ query })).hits.map((hit) => hit.id)).toEqual([id]);
  const why = await searcher.why({ query, id });
  expect(why?.explanation).toMatch(
    /^not among the best \d+ by words · similar 1\.00 by deterministic \(rank 1/,
  );
});

test('asOf moves the clock of the decay and hides nothing', async () => {
  const memories = [
    { text: 'redis timeout raised', ts: '2026-01-01T00:00:00.000Z' },
    { text: 'redis timeout raised', ts: '2026-02-01T00:00:00.000Z' },
  ];
  const { searcher, ids } = await searcherOver(memories);
  const before = (await searcher.found({ query: 'redis timeout', asOf: '2025-01-01T00:00:00Z' })).hits;
  expect(before).toHaveLength(2);
  const why = await searcher.why({ query: 'redis', id: ids[1] ?? 0, asOf: '2026-03-03T00:00:00Z' });
  expect(why?.decay).toEqual({ ageDays: 30, factor: 0.9, pinned: false });
  await expect(searcher.found({ query: 'redis', asOf: 'yesterday' })).rejects.toThrow('is not a time');
});

test('no decay when pinned, and none at a half-life of 0', async () => {
  const { store, searcher, ids } = await searcherOver([
    { text: 'redis', ts: '2020-01-01T00:00:00Z', pinned: true },
  ]);
  const id = ids[0] ?? 0;
  expect((await searcher.why({ query: 'redis', id }))?.decay).toMatchObject({ factor: 1, pinned: true });
  const [other = 0] = store.add([{ text: 'redis', ts: '2020-01-01T00:00:00Z' }]);
  const still = new Searcher({
    store: store.reads,
    embedder: always(deterministic),
    settings: { ...settings, halfLifeDays: 0 },
    now,
  });
  expect((await still.why({ query: 'redis', id: other }))?.decay.factor).toBe(1);
});

test.each([
  ['2026-02-28T23:59:30Z', '0 min old, decay 1.000'],
  ['2026-02-28T22:01:00Z', '119 min old, decay 1.000'],
  ['2026-02-28T19:30:00Z', '4 h old, decay 0.999'],
  ['2026-02-27T00:00:00Z', '2 days old, decay 0.991'],
  ['2026-04-01T00:00:00Z', '0 min old, decay 1.000'],
])('the age of a call of %s shows as %s', async (ts, words) => {
  const { searcher, ids } = await searcherOver([{ text: 'redis', ts }]);
  const why = await searcher.why({ query: 'redis', id: ids[0] ?? 0 });
  expect(why?.explanation.endsWith(words)).toBe(true);
});

test('session and tool narrow both legs, and why the same way', async () => {
  const { searcher, ids } = await searcherOver([
    { text: 'redis cache', session: 'a', tool: 'Bash' },
    { text: 'redis cache', session: 'b', tool: 'Bash' },
    { text: 'redis cache', session: 'b', tool: 'Edit' },
  ]);
  const request = { query: 'redis cache', session: 'b', tool: 'Edit' };
  expect((await searcher.found(request)).hits.map(({ id }) => id)).toEqual([ids[2]]);
  expect((await searcher.why({ ...request, id: ids[2] ?? 0 }))?.bm25.rank).toBe(1);
  expect((await searcher.why({ ...request, id: ids[0] ?? 0 }))?.rrf.rank).toBeNull();
});

test('a superseded memory ranks below its successor, through a chain and a missing link', async () => {
  const { store, searcher, ids } = await searcherOver([
    { text: 'redis timeout redis timeout set to five seconds', session: 'a' },
    { text: 'completely different words here', session: 'b' },
    {
      text: 'the redis timeout, among many other things that nobody asked for, was set to nine seconds',
      session: 'c',
    },
  ]);
  const [oldest = 0, middle = 0, newest = 0] = ids;
  store.supersede(middle, oldest);
  store.supersede(newest, middle);
  const hits = (await searcher.found({ query: 'redis timeout' })).hits;
  expect(hits.map(({ id }) => id)).toEqual([newest, oldest]);
  expect(hits[1]?.supersededBy).toBe(middle);
  const why = await searcher.why({ query: 'redis timeout', id: newest });
  expect(why?.factors?.supersedes).toBeGreaterThan(1);
  expect(why?.explanation).toMatch(/ · replaces a memory that matches better: x 1\.\d{1,3}$/);
  expect((await searcher.why({ query: 'redis timeout', id: oldest }))?.explanation).toMatch(
    new RegExp(` · superseded by #${middle}$`),
  );
});

test('vectors follow the database: new, replaced, deleted, cut short', async () => {
  const { store, searcher, ids } = await searcherOver([
    { text: 'authentication', session: 'a' },
    { text: 'release notes', session: 'b' },
  ]);
  const rankOf = async (id: number) => (await searcher.why({ query: 'authenticate', id }))?.vector.rank;
  const [first = 0, second = 0] = ids;
  expect([await rankOf(first), await rankOf(second)]).toEqual([1, null]);
  const [vector = new Float32Array()] = await deterministic.embed(
    ['authenticate'],
    new AbortController().signal,
  );
  store.putVector(deterministic, second, vector);
  expect([await rankOf(first), await rankOf(second)]).toEqual([2, 1]);
  store.putBytes(deterministic, second, new Uint8Array(7));
  expect([await rankOf(first), await rankOf(second)]).toEqual([1, null]);
  const [third = 0] = store.add([{ text: 'authentication', session: 'c' }]);
  await store.embed(deterministic, [third]);
  store.forget(first);
  expect([await rankOf(third), await rankOf(second)]).toEqual([1, null]);
  searcher.rest();
  await searcher.prepare();
  expect(await rankOf(third)).toBe(1);
});

test('of two calls alike, the one among calls that fit the query is nearer to it', async () => {
  const { searcher, ids } = await searcherOver([
    { text: 'npm test', session: 'a' },
    { text: 'authentication of users', session: 'b' },
    { text: 'npm test', session: 'b' },
    { text: 'user login', session: 'b' },
  ]);
  const query = 'authenticate the test user';
  const [alone = 0, , among = 0] = ids;
  const vectorOf = async (id: number) => (await searcher.why({ query, id }))?.vector.similarity ?? 0;
  expect(await vectorOf(among)).toBeGreaterThan(await vectorOf(alone));
  expect((await searcher.found({ query })).hits.map(({ id }) => id).indexOf(among)).toBeLessThan(3);
});

test('an embedder that fails, or of another name, costs only its leg', async () => {
  const failures: string[] = [];
  const broken: Embedder = {
    ...deterministic,
    name: 'ollama:gone',
    embed: () => Promise.reject(new Error('fetch failed: connect ECONNREFUSED 127.0.0.1:9')),
  };
  const embedder = {
    current: () => Promise.resolve(broken),
    failed: (one: Embedder) => failures.push(one.name),
  };
  const { searcher, ids } = await searcherOver([{ text: 'redis cache' }], { embedder });
  expect((await searcher.found({ query: 'redis' })).hits).toHaveLength(1);
  expect(failures).toEqual(['ollama:gone']);
  const why = await searcher.why({ query: 'redis', id: ids[0] ?? 0 });
  expect(why?.explanation).toContain('no vector similarity: fetch failed');
  const other = await searcherOver([{ text: 'redis cache' }], {
    embedder: always({ ...deterministic, name: 'other' }),
  });
  const apart = await other.searcher.why({ query: 'redis', id: other.ids[0] ?? 0 });
  expect(apart?.vector).toEqual({ rank: null, similarity: null, contribution: 0, embedder: 'other' });
});

const vocabulary = 'redis cache caching timeout src/app/main.ts fetchUser E4711 deploy auth'.split(' ');
const words = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 8 });
const memory = fc.record({
  text: words.map((some) => some.join(' ')),
  terms: words.map((some) => some.join(' ')),
  ts: fc.integer({ min: 0, max: 400 }).map((day) => new Date(Date.UTC(2025, 0, 1 + day)).toISOString()),
  session: fc.constantFrom('a', 'b'),
  pinned: fc.boolean(),
});

test('the order of search is the order of the scores of why, whose numbers add up', async () => {
  const store = new TestMemories();
  await fc.assert(
    fc.asyncProperty(
      fc.array(memory, { minLength: 1, maxLength: 25 }),
      fc.array(fc.tuple(fc.nat(24), fc.nat(24)), { maxLength: 10 }),
      words.map((some) => some.join(' ')),
      fc.constantFrom(undefined, 'a'),
      async (memories, edges, query, wanted) => {
        store.clear();
        // An unknown session is refused.
        const session = memories.find((one) => one.session === wanted)?.session;
        const { searcher, ids } = await searcherOver(memories, { settings: wide }, store);
        for (const [a, b] of edges) {
          const newer = ids[Math.max(a, b)];
          const older = ids[Math.min(a, b)];
          if (a !== b && newer !== undefined && older !== undefined) store.supersede(newer, older);
        }
        const hits = (await searcher.found({ query, session })).hits;
        const rankOf = new Map(hits.map(({ id, rank }) => [id, rank]));
        for (const [at, hit] of hits.entries()) {
          const why = await searcher.why({ query, session, id: hit.id });
          if (why === null) throw new Error('a hit without a why');
          const further = Object.values(why.legs ?? {}).reduce((all, leg) => all + leg.contribution, 0);
          const sum = why.bm25.contribution + why.vector.contribution + further;
          const product = Object.values(why.factors ?? {}).reduce((all, one) => all * one, why.decay.factor);
          expect(why.rrf).toEqual({ score: hit.score, rank: at + 1 });
          expect(Math.abs(sum * product - hit.score)).toBeLessThan(1e-9);
          expect(hit.score).toBeLessThanOrEqual(hits[at - 1]?.score ?? 1);
        }
        for (const [a, b] of edges) {
          const newer = rankOf.get(ids[Math.max(a, b)] ?? 0);
          const older = rankOf.get(ids[Math.min(a, b)] ?? 0);
          if (a !== b && newer !== undefined && older !== undefined) expect(newer).toBeLessThan(older);
        }
      },
    ),
    { numRuns: runs(40) },
  );
});

test('any string is a query', async () => {
  const { searcher } = await searcherOver([{ text: 'redis cache 数据库 src/app/main.ts' }]);
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.string()), async (query) => {
      expect(Array.isArray((await searcher.found({ query })).hits)).toBe(true);
    }),
  );
});
