import { afterEach, beforeEach, expect, test } from 'vitest';
import { closedPort, type ModelServer, startModelServer } from '../../test/model-server.ts';
import { defaultConfig } from '../config/index.ts';
import type { EmbedderCascade } from '../embed/index.ts';
import { createSearcher } from '../search/index.ts';
import { SearchReads } from '../store/index.ts';
import { eventAt, newStore, summarised, type TestStore } from '../store/store-for-tests.ts';
import { embedMissing } from './embed-missing.ts';
import { openEmbedders } from './embedders.ts';

const signal = new AbortController().signal;
const report = () => {};
const ends: (() => unknown)[] = [];
let place: TestStore;
let port: number;
let embedders: EmbedderCascade;

beforeEach(async () => {
  place = newStore();
  port = await closedPort();
  const config = { ...defaultConfig(), 'localllm.endpoint': `http://127.0.0.1:${port}` };
  embedders = openEmbedders({ store: place.store, config, report });
});
afterEach(async () => {
  await embedders.close();
  for (const end of ends.splice(0).reverse()) await end();
  place.remove();
});

async function comesUp(): Promise<ModelServer> {
  const server = await startModelServer({ port });
  ends.push(() => server.close());
  return server;
}

/** A tick of the background, after another look at what is there. */
async function tick(): Promise<void> {
  embedders.failed(await embedders.current(signal));
  await embedMissing({ store: place.store, embedders, report, signal });
}

/** The texts that the runtime has embedded as documents since its start. */
function documents(server: ModelServer): string[] {
  return server
    .requestsTo('embed')
    .flatMap(({ body }) => JSON.parse(JSON.stringify(body)).input)
    .map(String)
    .filter((text) => text !== 'search_document: probe' && text.startsWith('search_document: '));
}

function embeddersOf(): Record<number, string> {
  const rows = place.store.connection.all('SELECT summary_id, embedder FROM summary_embeddings ORDER BY 1');
  return Object.fromEntries(rows.map((row) => [Number(row.summary_id), String(row.embedder)]));
}

/** What a search says of a summary: whether it was found by words, and whether by its vector. */
async function foundBy(
  query: string,
  id: number,
): Promise<{ words: boolean; vector: boolean; hits: number }> {
  const searcher = createSearcher({
    store: new SearchReads(place.store),
    embedder: embedders,
    settings: { topK: 10, rrfK: 60, halfLifeDays: 30, decayFloor: 0.8 },
    now: () => Date.UTC(2026, 0, 2),
  });
  const why = await searcher.why({ query, id });
  const hits = await searcher.search({ query });
  return {
    words: why?.bm25.rank !== null,
    vector: why?.vector.rank !== null && why?.vector.rank !== undefined,
    hits: hits.length,
  };
}

const texts = [
  'moved the cache to redis',
  'wrote release notes',
  'raised the request timeout',
  'removed a lock',
];
const local = 'ollama:nomic-embed-text';

function remember(from: number, to: number): number[] {
  const events = Array.from({ length: to - from }, (_, at) =>
    eventAt(from + at, { sessionId: `s${from + at}` }),
  );
  return summarised(place.store, events, (at) => texts[from + at] ?? '');
}

test('up, down and up again recomputes nothing but what was made meanwhile, and every search is right', async () => {
  const first = await comesUp();
  remember(0, 2);
  await tick();
  expect(embeddersOf()).toEqual({ 1: local, 2: local });
  expect(documents(first)).toHaveLength(2);
  expect(await foundBy('redis cache', 1)).toMatchObject({ words: true, vector: true });

  await first.close();
  await tick();
  remember(2, 3);
  await tick();
  expect(embeddersOf()).toEqual({ 1: local, 2: local, 3: 'deterministic' });
  // The old are found by their words alone, as nothing can embed a query into their space; the new both ways.
  expect(await foundBy('redis cache', 1)).toMatchObject({ words: true, vector: false });
  expect(await foundBy('request timeout', 3)).toMatchObject({ words: true, vector: true });

  const second = await comesUp();
  await tick();
  expect(embeddersOf()).toEqual({ 1: local, 2: local, 3: local });
  expect(documents(second)).toEqual([expect.stringContaining('raised the request timeout')]);
  expect(await foundBy('redis cache', 1)).toMatchObject({ words: true, vector: true });
  expect(await foundBy('request timeout', 3)).toMatchObject({ words: true, vector: true });
  await tick();
  expect(documents(second)).toHaveLength(1);
});

test('deleted rows come back, by whatever is in force, and the others stay as they are', async () => {
  const server = await comesUp();
  remember(0, 4);
  await tick();
  await server.close();
  place.store.connection.run('DELETE FROM summary_embeddings WHERE summary_id IN (2, 3)');
  await tick();
  expect(embeddersOf()).toEqual({ 1: local, 2: 'deterministic', 3: 'deterministic', 4: local });
  place.store.connection.run('DELETE FROM summary_embeddings');
  await tick();
  expect(new Set(Object.values(embeddersOf()))).toEqual(new Set(['deterministic']));
  expect(Object.keys(embeddersOf())).toHaveLength(4);
});

test('a runtime that shows up once makes nothing anew; one that stays makes all anew, and each search is right', async () => {
  remember(0, 4);
  await tick();
  const once = await comesUp();
  await tick();
  expect(documents(once)).toEqual([]);
  await once.close();
  await tick();
  await comesUp();
  await tick();
  expect(new Set(Object.values(embeddersOf()))).toEqual(new Set(['deterministic']));
  expect(await foundBy('redis cache', 1)).toMatchObject({ words: true, vector: true });

  // Taken over, nothing made yet: the query is embedded by the new one, and there is nothing of its kind to compare.
  embedders.failed(await embedders.current(signal));
  expect((await embedders.current(signal)).name).toBe(local);
  expect(await foundBy('redis cache', 1)).toMatchObject({ words: true, vector: false });
  await embedMissing({ store: place.store, embedders, report, signal });
  expect(new Set(Object.values(embeddersOf()))).toEqual(new Set([local]));
  expect(await foundBy('redis cache', 1)).toMatchObject({ words: true, vector: true });
});

test('an embedder that was away for too long is given up, and its vectors are replaced', async () => {
  const server = await comesUp();
  remember(0, 2);
  await tick();
  await server.close();
  place.store.ledger.setSetting('embedders.away', JSON.stringify({ [local]: 1e12 }));
  await tick();
  expect(embeddersOf()).toEqual({ 1: 'deterministic', 2: 'deterministic' });
});
