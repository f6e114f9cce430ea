import { afterEach, expect, test } from 'vitest';
import { probeIntervalMs } from '#core/limits';
import { closedPort, type ModelServer, startModelServer } from '../../../test/model-server.ts';
import { embedderGraceMs } from './absence.ts';
import { EmbedderCascade, type VectorsKept } from './choose.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const name = 'ollama:nomic-embed-text';
const signal = new AbortController().signal;

async function runtime(settings: Parameters<typeof startModelServer>[0] = {}): Promise<ModelServer> {
  const server = await startModelServer(settings);
  ends.push(() => server.close());
  return server;
}

/** The parts of a store. */
interface Kept extends VectorsKept {
  readonly embedders: Set<string>;
  readonly settings: Map<string, string>;
}

function kept(...embedders: string[]): Kept {
  const held = new Set(embedders);
  const settings = new Map<string, string>();
  return {
    embedders: held,
    settings,
    holds: (one) => (one === null ? held.size > 0 : held.has(one)),
    read: (key) => settings.get(key) ?? null,
    write: (key, value) => void settings.set(key, value),
  };
}

function cascade(
  endpoint: string,
  vectors: VectorsKept = kept(),
  now: () => number = () => 0,
): EmbedderCascade {
  const report = () => {};
  const made = new EmbedderCascade({
    endpoint,
    embedModel: 'nomic-embed-text',
    vectors,
    report,
    now,
  });
  ends.push(() => made.close());
  return made;
}

/** Looks again; returns the embedder in force after that. */
async function look(made: EmbedderCascade): Promise<string> {
  made.failed(await made.current(signal));
  return (await made.current(signal)).name;
}

test('the local runtime when it can embed; with a prefix each for queries and documents; vectors have unit length', async () => {
  const server = await runtime();
  const embedder = await cascade(server.url).current(signal);
  expect(embedder.name).toBe(name);
  const [vector = new Float32Array()] = await embedder.embed(['redis'], signal, 'query');
  expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  expect(embedder.dim).toBe(64);
  await embedder.embed(['redis'], signal);
  expect(server.requestsTo('embed').map(({ body }) => body)).toMatchObject([
    {},
    { input: ['search_query: redis'] },
    { input: ['search_document: redis'] },
  ]);
});

test('a runtime without the model, or none, leaves the deterministic embedder', async () => {
  const server = await runtime({ models: ['llama3.2:3b'] });
  expect((await cascade(server.url).current(signal)).name).toBe('deterministic');
  await server.close();
  expect((await cascade(server.url).current(signal)).name).toBe('deterministic');
});

test('a failure causes a look before the next answer', async () => {
  const server = await runtime();
  const made = cascade(server.url);
  const embedder = await made.current(signal);
  await server.close();
  expect((await made.current(signal)).name).toBe(name);
  made.failed(embedder);
  expect((await made.current(signal)).name).toBe('deterministic');
});

test('after the interval the old answer is given while the new look is under way', async () => {
  const server = await runtime();
  let clock = 0;
  const made = cascade(server.url, kept(), () => clock);
  await made.current(signal);
  await server.close();
  clock = probeIntervalMs;
  expect((await made.current(signal)).name).toBe(name);
});

test('a caller can stop waiting', async () => {
  const server = await runtime();
  await expect(cascade(server.url).current(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
});

test('over vectors of a weaker embedder alone, a stronger one takes over when it was there twice in a row', async () => {
  const port = await closedPort();
  const made = cascade(`http://127.0.0.1:${port}`, kept('deterministic'));
  expect((await made.current(signal)).name).toBe('deterministic');
  const once = await runtime({ port });
  expect(await look(made)).toBe('deterministic');
  await once.close();
  expect(await look(made)).toBe('deterministic');
  await runtime({ port });
  expect(await look(made)).toBe('deterministic');
  expect(await look(made)).toBe(name);
});

test('it takes over immediately when the store has vectors of its own', async () => {
  const server = await runtime();
  const made = cascade(server.url, kept('deterministic', name));
  expect((await made.current(signal)).name).toBe(name);
});

test('while it is away its vectors are kept, since it is the stronger one', async () => {
  const made = cascade(`http://127.0.0.1:${await closedPort()}`, kept(name));
  await made.current(signal);
  expect(made.kept()).toEqual([name]);
});

test('once it works again the count restarts, and nothing is kept', async () => {
  const port = await closedPort();
  const vectors = kept(name);
  vectors.settings.set('embedders.away', JSON.stringify({ [name]: embedderGraceMs }));
  const made = cascade(`http://127.0.0.1:${port}`, vectors);
  await made.current(signal);
  expect(made.kept()).toEqual([]);
  const server = await runtime({ port });
  expect(await look(made)).toBe(name);
  expect(made.kept()).toEqual([]);
  await server.close();
  expect(await look(made)).toBe('deterministic');
  expect(made.kept()).toEqual([name]);
});

test('a setting with another content counts as empty', async () => {
  const vectors = kept(name);
  vectors.settings.set('embedders.away', '{"a": "b"');
  const made = cascade(`http://127.0.0.1:${await closedPort()}`, vectors);
  await made.current(signal);
  expect(made.kept()).toEqual([name]);
});
