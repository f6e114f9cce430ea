import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultConfig } from '#core/config';
import type { EmbedderCascade } from '#memory/embed';
import { SearchReads } from '#memory/store';
import { Searcher } from '#query/search';
import {
  closedPort,
  type ModelServer,
  type ModelServerSettings,
  startModelServer,
} from '../../../test/model-server.ts';
import {
  eventAt,
  messageAt,
  newStore,
  summarised,
  type TestStore,
} from '../../../test/support/store/store.ts';
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
  embedders = openEmbedders({ store: place.store, config: configAt(port), report });
});
afterEach(async () => {
  embedders.close();
  for (const end of ends.splice(0).reverse()) await end();
  place.remove();
});

function configAt(localPort: number) {
  return { ...defaultConfig(), 'localllm.endpoint': `http://127.0.0.1:${localPort}` };
}

async function comesUp(settings: ModelServerSettings = {}): Promise<ModelServer> {
  const server = await startModelServer({ port, ...settings });
  ends.push(() => server.close());
  return server;
}

/** A tick of the background, after another look for the model. */
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
  const searcher = new Searcher({
    store: new SearchReads(place.store),
    embedder: embedders,
    settings: { topK: 10, rrfK: 60, halfLifeDays: 30, decayFloor: 0.8 },
    now: () => Date.UTC(2026, 0, 2),
  });
  const why = await searcher.why({ query, id });
  const { hits } = await searcher.found({ query });
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

test('a runtime found once changes nothing; one that stays re-embeds everything, and each search is right', async () => {
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
  place.store.settings.set('embedders.away', JSON.stringify({ [local]: 1e12 }));
  await tick();
  expect(embeddersOf()).toEqual({ 1: 'deterministic', 2: 'deterministic' });
});

describe('another model under the same name', () => {
  const rows = () =>
    place.store.connection.all('SELECT embedder, version, dim FROM summary_embeddings ORDER BY summary_id');
  const both = (row: object) => [row, row].map((one) => ({ embedder: local, version: 2, dim: 64, ...one }));

  /** Another process, which knows of the model only what the database says. */
  async function restarted(): Promise<void> {
    embedders.close();
    embedders = openEmbedders({ store: place.store, config: configAt(port), report });
  }

  const changes = {
    'of another dimension': { was: { dimension: 64 }, is: { dimension: 96 }, expected: { dim: 96 } },
    'of the same dimension, another build': {
      was: { digest: 'a' },
      is: { digest: 'b' },
      expected: { version: 3 },
    },
  };

  test.each(
    Object.entries(changes).flatMap(([name, change]) => [
      { name, ...change, how: 'by the daemon that runs', between: async () => {} },
      { name, ...change, how: 'by the next one', between: restarted },
    ]),
  )('$name, is noticed $how, and everything is embedded again', async ({ was, is, expected, between }) => {
    const first = await comesUp(was);
    const [id = 0] = remember(0, 2);
    await tick();
    expect(rows()).toEqual(both({}));
    await first.close();
    await between();

    const second = await comesUp(is);
    // Its vectors are compared with none of the former ones; what is not embedded again yet is found by its words.
    embedders.failed(await embedders.current(signal));
    expect(await foundBy('redis cache', id)).toMatchObject({ words: true, vector: false });
    await embedMissing({ store: place.store, embedders, report, signal });
    expect(rows()).toEqual(both(expected));
    expect(documents(second)).toHaveLength(2);
    expect(await foundBy('redis cache', id)).toMatchObject({ words: true, vector: true });
    await tick();
    expect(documents(second)).toHaveLength(2);
  });

  test('documents with another prefix are embedded again, and never compared with the former ones', async () => {
    await comesUp();
    const [id = 0] = remember(0, 2);
    await tick();
    place.store.settings.set(
      'embedders.builds',
      JSON.stringify({ [local]: { digest: '', texts: 'passages: ', version: 2 } }),
    );
    await restarted();
    expect(await foundBy('redis cache', id)).toMatchObject({ words: true, vector: false });
    await tick();
    expect(rows()).toEqual(both({ version: 3 }));
    expect(await foundBy('redis cache', id)).toMatchObject({ words: true, vector: true });
  });

  test('vectors of two dimensions, as an earlier version left them, become one', async () => {
    const small = await comesUp();
    remember(0, 2);
    await tick();
    await small.close();
    await comesUp({ dimension: 96 });
    place.store.connection.run(
      'UPDATE summary_embeddings SET dim = 96, vector = zeroblob(100) WHERE summary_id = 2',
    );
    await tick();
    expect(rows()).toEqual(both({ dim: 96 }));
  });
});

test('a message is found by its best passage, and counts as one', async () => {
  const others = Array.from({ length: 30 }, (_, at) => `Line ${at} is about the weather of the coast.`);
  const said = [...others, 'The cache moves to redis.', ...others].join('\n');
  const server = await comesUp();
  remember(0, 2);
  const [id = 0] = summarised(place.store, [messageAt(3, 'user', said)], () => 'The user said: Line 0');
  await tick();
  const passages = documents(server).filter((text) => text.includes('weather'));
  expect(passages.length).toBeGreaterThan(4);
  expect(passages.map((text) => text.replace('search_document: ', '')).join('')).toBe(said);
  expect(place.store.stats.counts()).toMatchObject({ summaries: 3, embeddings: 3 });
  const best = passages.findIndex((text) => text.includes('redis'));
  const searcher = new Searcher({
    store: new SearchReads(place.store),
    embedder: embedders,
    settings: { topK: 10, rrfK: 60, halfLifeDays: 30, decayFloor: 0.8 },
    now: () => Date.UTC(2026, 0, 2),
  });
  const query = (passages[best] ?? '').replace('search_document: ', '').slice(0, 300);
  expect((await searcher.why({ query, id }))?.vector).toMatchObject({ rank: 1 });

  // Reworded, it is embedded again; forgotten, it leaves nothing.
  place.store.summaries.reword(id, 'The user said: Line 0 and more', '');
  expect(place.store.stats.counts().embeddings).toBe(2);
  await tick();
  expect(documents(server).filter((text) => text.includes('weather'))).toHaveLength(2 * passages.length);
  place.store.summaries.forget(id);
  expect(place.store.stats.counts().embeddings).toBe(2);
});

test('a text that the embedder refuses has no vector, once and for all; the others have theirs', async () => {
  const server = await comesUp({ refuses: (text) => text.includes('release notes') });
  const [, id = 0] = remember(0, 4);
  await tick();
  expect(place.store.connection.all('SELECT dim FROM summary_embeddings ORDER BY summary_id')).toEqual(
    [64, 0, 64, 64].map((dim) => ({ dim })),
  );
  expect(await foundBy('release notes', id)).toMatchObject({ words: true, vector: false });
  expect(await foundBy('redis cache', id - 1)).toMatchObject({ words: true, vector: true });
  const asked = documents(server).length;
  await tick();
  expect(documents(server)).toHaveLength(asked);

  server.fail('embed', { kind: 'status', status: 400 });
  place.store.connection.run('DELETE FROM summary_embeddings');
  await embedMissing({ store: place.store, embedders, report, signal });
  expect(embeddersOf()).toEqual({});
});
