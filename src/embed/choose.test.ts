import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { probeIntervalMs } from '../limits.ts';
import { chooseEmbedder, type EmbedderCascade } from './choose.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A server that speaks as much of Ollama's API as the cascade asks for. */
async function runtime(
  hasModel: boolean,
): Promise<{ endpoint: string; inputs: string[]; readonly close: () => Promise<void> }> {
  const inputs: string[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      if (request.url !== '/api/embed') {
        response.end(JSON.stringify({ version: '0.0.0', models: [] }));
      } else if (!hasModel) {
        response.statusCode = 404;
        response.end(JSON.stringify({ error: 'model "nomic-embed-text" not found' }));
      } else {
        const { input } = JSON.parse(body) as { input: string[] };
        inputs.push(...input);
        response.end(JSON.stringify({ embeddings: input.map(() => [3, 4]) }));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    return closed;
  };
  ends.push(close);
  return { endpoint: `http://127.0.0.1:${port}`, inputs, close };
}

function cascade(endpoint: string, now: () => number = () => 0): EmbedderCascade {
  const made = chooseEmbedder({ endpoint, embedModel: 'nomic-embed-text', now });
  ends.push(() => made.close());
  return made;
}

const signal = new AbortController().signal;

test('the local runtime when it can embed; a query and a document are told apart, vectors have unit length', async () => {
  const { endpoint, inputs } = await runtime(true);
  const embedder = await cascade(endpoint).current(signal);
  expect([embedder.name, embedder.dim]).toEqual(['ollama:nomic-embed-text', 2]);
  const [vector] = await embedder.embed(['redis'], signal, 'query');
  expect(vector).toEqual(Float32Array.of(0.6, 0.8));
  await embedder.embed(['redis'], signal);
  expect(inputs.slice(-2)).toEqual(['search_query: redis', 'search_document: redis']);
});

test('a runtime without the model, or none, gives way to the deterministic embedder', async () => {
  const { endpoint, close } = await runtime(false);
  expect((await cascade(endpoint).current(signal)).name).toBe('deterministic');
  await close();
  expect((await cascade(endpoint).current(signal)).name).toBe('deterministic');
});

test('a failure is looked into before the next answer', async () => {
  const { endpoint, close } = await runtime(true);
  const made = cascade(endpoint);
  const embedder = await made.current(signal);
  expect(embedder.name).toBe('ollama:nomic-embed-text');
  await close();
  expect((await made.current(signal)).name).toBe('ollama:nomic-embed-text');
  made.failed(embedder);
  expect((await made.current(signal)).name).toBe('deterministic');
});

test('after the interval the old answer is given while the new look is under way', async () => {
  const { endpoint, close } = await runtime(true);
  let clock = 0;
  const made = cascade(endpoint, () => clock);
  await made.current(signal);
  await close();
  clock = probeIntervalMs;
  expect((await made.current(signal)).name).toBe('ollama:nomic-embed-text');
});

test('a caller who gives up is let go', async () => {
  const { endpoint } = await runtime(true);
  await expect(cascade(endpoint).current(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
});
