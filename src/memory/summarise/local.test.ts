import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  believable,
  closedPort,
  type Fault,
  type ModelServer,
  startModelServer,
} from '../../../test/model-server.ts';
import { event, events } from '../../../test/support/summarise/events.ts';
import type { RawEvent } from './backend.ts';
import { localBackend, localBatchMax } from './local.ts';
import { localContextTokens } from './local-chat.ts';

let server: ModelServer;
const never = new AbortController().signal;
const retries = { retriesMax: 2, baseMs: 1, retryAfterMsMax: 1_000 };

beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const backend = (more: { endpoint?: string; model?: string; timeoutMs?: number } = {}) =>
  localBackend({ endpoint: server.url, model: 'llama3.2:3b', retries, ...more });

const summarise = (of: readonly RawEvent[], more: Parameters<typeof backend>[0] = {}) =>
  backend(more).summarise(of, never);

describe('a batch', () => {
  test('is one call, and each answer is for its event', async () => {
    const outcome = await summarise(events(5));
    expect(outcome).toMatchObject({ kind: 'done', usage: { calls: 1, inputTokens: 100, outputTokens: 20 } });
    const answers = outcome.kind === 'done' ? outcome.answers : [];
    expect(answers.map((answer) => ('text' in answer ? /target-\d/.exec(answer.text)?.[0] : null))).toEqual([
      'target-0',
      'target-1',
      'target-2',
      'target-3',
      'target-4',
    ]);
    expect(server.requests).toHaveLength(1);
  });

  test('is asked for by schema, without chance, in a context that holds it', async () => {
    await summarise(events(1));
    expect(server.requestsTo('chat')[0]?.body).toMatchObject({
      model: 'llama3.2:3b',
      stream: false,
      keep_alive: '5m',
      format: { type: 'object', required: ['summaries'] },
      options: { temperature: 0, num_ctx: localContextTokens },
    });
  });

  test('with an event that the model passes over keeps the others', async () => {
    await server.close();
    server = await startModelServer({ answers: (found) => believable(found).slice(1) });
    const outcome = await summarise(events(3));
    const answers = outcome.kind === 'done' ? outcome.answers : [];
    expect(answers.map((answer) => 'text' in answer)).toEqual([false, true, true]);
  });

  test.each(['not JSON', '{"summaries":[]}', '{"summaries":[{"id":9,"text":"x","terms":""}]}', ''])(
    'whose answer is %j is rejected',
    async (text) => {
      server.fail('chat', { kind: 'content', text });
      expect(await summarise(events(2))).toMatchObject({ kind: 'rejected', usage: { calls: 1 } });
    },
  );

  test('whose answer was cut says so', async () => {
    const message = { role: 'assistant', content: '{"summaries":[{"id":1,"te' };
    server.fail('chat', { kind: 'body', body: { message, done: true, done_reason: 'length' } });
    expect(await summarise(events(2))).toMatchObject({
      kind: 'rejected',
      error: expect.stringContaining('limit of tokens'),
    });
  });
});

describe('an outage', () => {
  test.each<[string, Fault, string, boolean]>([
    ['garbage', { kind: 'garbage' }, "ollama API error: 200 with a reply that is not Ollama's", true],
    [
      'truncated JSON',
      { kind: 'truncated' },
      "ollama API error: 200 with a reply that is not Ollama's",
      true,
    ],
    [
      'an error under 200',
      { kind: 'body', body: { error: 'runner died' } },
      'ollama API error: 200 runner died',
      true,
    ],
    [
      'a reply of another API',
      { kind: 'body', body: { message: 'hi' } },
      "ollama API error: 200 with a reply that is not Ollama's",
      true,
    ],
    [
      '500',
      { kind: 'status', status: 500, message: 'out of memory' },
      'ollama API error: 500 out of memory',
      true,
    ],
    [
      '400 to a harmless question too',
      { kind: 'status', status: 400, message: 'no' },
      'ollama API error: 400 no',
      false,
    ],
    ['a redirect', { kind: 'redirect', to: 'http://127.0.0.1:1/' }, 'ollama API error: 307', false],
  ])('%s', async (_, fault, error, retryable) => {
    server.fail('chat', fault);
    expect(await summarise(events(1))).toEqual({ kind: 'outage', error, retryable });
  });

  test('a model that is not there, with the repair', async () => {
    expect(await summarise(events(1), { model: 'no-such:1b' })).toEqual({
      kind: 'outage',
      error: 'ollama API error: 404 model "no-such:1b" not found. Run `ollama pull no-such:1b`.',
      retryable: false,
    });
  });

  test('nobody listening', async () => {
    const port = await closedPort();
    expect(await summarise(events(1), { endpoint: `http://localhost:${port}` })).toEqual({
      kind: 'outage',
      error: `fetch failed: connect ECONNREFUSED 127.0.0.1:${port}`,
      retryable: true,
    });
  });

  test('no answer in time', async () => {
    server.fail('chat', { kind: 'hang' });
    expect(await summarise(events(1), { timeoutMs: 60 })).toMatchObject({
      kind: 'outage',
      error: 'fetch failed: timeout after 60 ms',
    });
  });

  test('that passes is tried over', async () => {
    server.fail('chat', { kind: 'status', status: 503 }, 2);
    expect(await summarise(events(1))).toMatchObject({ kind: 'done' });
  });
});

test('a machine too slow for a batch gets smaller ones, and larger ones again when it keeps up', async () => {
  server.fail('chat', { kind: 'hang' }, 2);
  const slow = backend({ timeoutMs: 400 });
  await slow.summarise(events(localBatchMax), never);
  expect(slow.batchMax).toBe(localBatchMax / 2);
  await slow.summarise(events(slow.batchMax), never);
  expect(slow.batchMax).toBe(localBatchMax / 4);
  const outcome = await slow.summarise(events(slow.batchMax), never);
  // This machine may be too slow itself, and then it is the other half of the rule that holds.
  expect(slow.batchMax).toBe(outcome.kind === 'done' ? localBatchMax / 4 + 1 : localBatchMax / 8);
});

describe('the probe', () => {
  test('null when the runtime answers, whatever it says', async () => {
    expect(await backend().probe(never)).toEqual({ state: 'ready' });
    server.fail('probe', { kind: 'status', status: 500 });
    expect(await backend().probe(never)).toEqual({ state: 'ready' });
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/api/version',
      '/api/tags',
      '/api/version',
      '/api/tags',
    ]);
  });

  test('lacking, with the repair, when the runtime says that it has not the model', async () => {
    const words = 'ollama API error: 404 model "no-such:1b" not found. Run `ollama pull no-such:1b`.';
    const lacking = backend({ model: 'no-such:1b' });
    expect(await lacking.probe(never)).toEqual({ state: 'lacking', error: words });
    expect(server.requestsTo('chat')).toEqual([]);
  });

  test('ready when the list of models is slow, wrong or does not know the name: the runtime itself decides', async () => {
    const lacking = backend({ model: 'no-such:1b' });
    const faults: readonly Fault[] = [{ kind: 'hang' }, { kind: 'status', status: 500 }];
    for (const fault of faults) {
      // The first look goes well, the list does not.
      server.fail('probe', null);
      server.fail('probe', { kind: 'delay', delayMs: 0 }, 1);
      server.fail('probe', fault, 1);
      expect(await lacking.probe(never, 1_500)).toEqual({ state: 'ready' });
    }
    server.fail('probe', null);
    server.fail('probe', { kind: 'delay', delayMs: 0 }, 1);
    server.fail('probe', { kind: 'garbage' }, 1);
    expect(await backend().probe(never)).toEqual({ state: 'ready' });
  });

  test('a name without a tag means `latest`, and case is no matter', async () => {
    await server.close();
    server = await startModelServer({ models: ['Mistral:latest'] });
    expect(await backend({ model: 'mistral' }).probe(never)).toEqual({ state: 'ready' });
    expect(server.requests.map(({ path }) => path)).toEqual(['/api/version', '/api/tags']);
  });

  test('why, when nobody listens', async () => {
    const port = await closedPort();
    const absent = backend({ endpoint: `http://localhost:${port}` });
    const error = `fetch failed: connect ECONNREFUSED 127.0.0.1:${port}`;
    expect(await absent.probe(never)).toMatchObject({ state: 'absent', error });
  });

  test('why, when somebody listens but does not answer', async () => {
    server.fail('probe', { kind: 'hang' });
    expect(await backend().probe(never, 50)).toEqual({
      state: 'unwell',
      error: 'fetch failed: timeout after 50 ms',
    });
  });
});

test('the prompt marks a failed call as failed', async () => {
  const outcome = await summarise([event({ isError: true })]);
  expect(outcome).toMatchObject({ kind: 'done', answers: [{ text: expect.stringContaining('It failed.') }] });
});
