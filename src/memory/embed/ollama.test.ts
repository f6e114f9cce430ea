import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '#core/event';
import { type Fault, type ModelServer, startModelServer } from '../../../test/model-server.ts';
import { ollamaEmbedBatchMax, ollamaEmbedder } from './ollama.ts';

const retries = { retriesMax: 1, baseMs: 1, retryAfterMsMax: 1_000 };
const never = new AbortController().signal;
let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const embedder = (more: { endpoint?: string; model?: string; timeoutMs?: number } = {}) =>
  ollamaEmbedder({ endpoint: server.url, model: 'nomic-embed-text', retries, ...more });

const dot = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

test('a vector a text, in order, by as many calls as it takes', async () => {
  const texts = Array.from({ length: ollamaEmbedBatchMax + 3 }, (_, index) => `text number${index}`);
  const vectors = await embedder().embed(texts, never);
  expect(vectors.map((vector) => vector.length)).toEqual(texts.map(() => 64));
  expect(server.requestsTo('embed').map(({ body }) => body)).toMatchObject([
    { model: 'nomic-embed-text', input: texts.slice(0, ollamaEmbedBatchMax) },
    { input: texts.slice(ollamaEmbedBatchMax) },
  ]);
  const [alone] = await embedder().embed(['text number33'], never);
  const same = vectors[33];
  if (alone === undefined || same === undefined) throw new Error('a vector is missing');
  expect(dot(alone, same)).toBeCloseTo(1, 5);
});

test('no text, no call', async () => {
  expect(await embedder().embed([], never)).toEqual([]);
  expect(server.requests).toEqual([]);
});

test('the name says model and runtime', () => {
  expect(embedder().name).toBe('ollama:nomic-embed-text');
});

describe('cannot embed', () => {
  test.each<[string, Fault, RegExp]>([
    ['garbage', { kind: 'garbage' }, /^ollama API error: 200 with a reply that is not Ollama's$/],
    ['500', { kind: 'status', status: 500, message: 'oops' }, /^ollama API error: 500 oops$/],
    ['a hang', { kind: 'hang' }, /^fetch failed: timeout after 80 ms$/],
    ['a closed connection', { kind: 'reset' }, /^fetch failed: \S/],
  ])('%s', async (_, fault, error) => {
    server.fail('embed', fault);
    await expect(
      embedder({ timeoutMs: fault.kind === 'hang' ? 80 : 30_000 }).embed(['a'], never),
    ).rejects.toMatchObject({
      code: expect.stringMatching(/^embed_(outage|refused|malformed)$/),
      message: expect.stringMatching(error),
    });
  });

  test.each<[string, Json]>([
    ['too few vectors', []],
    ['too many vectors', [[1], [1]]],
    ['an empty vector', [[]]],
    ['a vector of zeros', [[0, 0]]],
    ['a number out of range', [[1e300, 1]]],
    ['something else than numbers', [['a']]],
    ['null', [[null, 1]]],
    ['too long a vector', [Array.from({ length: 10_000 }, () => 1)]],
  ])('%s', async (_, embeddings) => {
    server.fail('embed', { kind: 'body', body: { embeddings } });
    await expect(embedder().embed(['a'], never)).rejects.toMatchObject({ code: 'embed_malformed' });
  });

  // A 500 too: what a text makes NaN of is no JSON to the runtime.
  test.each([
    [400, 'embed_refused'],
    [422, 'embed_refused'],
    [500, 'embed_refused'],
    [401, 'embed_outage'],
    [404, 'embed_outage'],
    [429, 'embed_outage'],
    [503, 'embed_outage'],
  ])('%i says %s: whether a text may be at fault', async (status, code) => {
    server.fail('embed', { kind: 'status', status });
    await expect(embedder().embed(['a'], never)).rejects.toMatchObject({ code });
  });

  test('vectors of another dimension than before, in one reply or the next', async () => {
    server.fail('embed', { kind: 'body', body: { embeddings: [[1, 2], [1]] } }, 1);
    await expect(embedder().embed(['a', 'b'], never)).rejects.toThrow(/vectors of 1 and of 2 numbers/);
    const one = embedder();
    await one.embed(['a'], never);
    server.fail('embed', { kind: 'body', body: { embeddings: [[1, 2]] } }, 1);
    await expect(one.embed(['a'], never)).rejects.toThrow(/vectors of 2 and of 64 numbers/);
  });

  test('without the model, with the repair', async () => {
    await expect(embedder({ model: 'absent' }).embed(['a'], never)).rejects.toThrow(
      'ollama API error: 404 model "absent" not found. Run `ollama pull absent`.',
    );
  });
});
