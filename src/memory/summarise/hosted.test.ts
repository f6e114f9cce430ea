import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closedPort, type Fault, type ModelServer, startModelServer } from '../../../test/model-server.ts';
import { events } from '../../../test/support/summarise/events.ts';
import { apiKey, hostedAt } from '../../../test/support/summarise/hosted.ts';
import { purse } from '../../../test/support/summarise/purse.ts';
import type { HostedSettings } from './hosted-chat.ts';

const never = new AbortController().signal;
let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer({ apiKey });
});
afterEach(() => server.close());

const backend = (more: Partial<HostedSettings> = {}) => hostedAt(server.url, more);

describe('a batch', () => {
  test('is one call in the shape of the Messages API', async () => {
    const outcome = await backend().summarise(events(3), never);
    expect(outcome).toMatchObject({ kind: 'done', usage: { calls: 1, inputTokens: 100, outputTokens: 20 } });
    const [request, ...others] = server.requests;
    expect(others).toEqual([]);
    expect(request).toMatchObject({
      method: 'POST',
      path: '/v1/messages',
      headers: { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
      body: {
        model: 'claude-haiku-4-5',
        temperature: 0,
        output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
      },
    });
  });

  test('whose answer fails the schema is rejected, and paid for', async () => {
    server.fail('messages', { kind: 'content', text: 'Sorry.' });
    const budget = purse();
    expect(await backend({ budget }).summarise(events(2), never)).toMatchObject({ kind: 'rejected' });
    expect(budget.spent).toEqual([{ calls: 1, inputTokens: 100, outputTokens: 20 }]);
  });

  test.each([
    ['refusal', 'the model refused to answer'],
    ['max_tokens', "the model's answer was cut at its limit of tokens"],
  ])('that ended with %s says so', async (stop_reason, error) => {
    const usage = { input_tokens: 7, output_tokens: 1, cache_read_input_tokens: 3 };
    server.fail('messages', { kind: 'body', body: { content: [], stop_reason, usage } });
    expect(await backend().summarise(events(1), never)).toEqual({
      kind: 'rejected',
      error,
      usage: { calls: 1, inputTokens: 10, outputTokens: 1 },
    });
  });

  test('that is too large is split, not held against the API', async () => {
    server.fail('messages', { kind: 'status', status: 413 });
    expect(await backend().summarise(events(2), never)).toMatchObject({ kind: 'rejected' });
  });

  test('whose answer the API does not give out is split as well, and paid for by estimate', async () => {
    const message = 'Output blocked by content filtering policy';
    server.fail('messages', { kind: 'status', status: 400, message });
    const budget = purse();
    expect(await backend({ budget }).summarise(events(2), never)).toMatchObject({
      kind: 'rejected',
      error: `hostedllm API error: 400 ${message}`,
    });
    expect(server.requests).toHaveLength(1);
    expect(budget.spent).toHaveLength(1);
  });

  test.each([
    ['`temperature` is deprecated for this model.', 'temperature'],
    ['output_config.format: not supported by this model', 'output_config'],
  ])('for a model that says %j goes without, from then on', async (message, parameter) => {
    server.fail('messages', { kind: 'status', status: 400, message }, 1);
    const hosted = backend();
    expect(await hosted.summarise(events(1), never)).toMatchObject({ kind: 'done' });
    expect(await hosted.summarise(events(1), never)).toMatchObject({ kind: 'done' });
    expect(server.requests.map(({ body }) => Object.keys(Object(body)).includes(parameter))).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('an outage', () => {
  test('a refused key, to the letter, and not tried over', async () => {
    const budget = purse();
    const hosted = backend({ apiKey: 'sk-ant-wrong-0123456789', budget });
    expect(await hosted.summarise(events(1), never)).toEqual({
      kind: 'outage',
      error: 'hostedllm API error: 401',
      retryable: false,
    });
    expect(server.requests).toHaveLength(1);
    expect(budget.spent).toEqual([]);
  });

  test.each<[string, Fault, string, boolean, number]>([
    [
      '429',
      { kind: 'status', status: 429, message: 'slow down' },
      'hostedllm API error: 429 slow down',
      true,
      3,
    ],
    [
      '529',
      { kind: 'status', status: 529, message: 'Overloaded' },
      'hostedllm API error: 529 Overloaded',
      true,
      3,
    ],
    ['500', { kind: 'status', status: 500, message: 'oops' }, 'hostedllm API error: 500 oops', true, 3],
    [
      '400',
      { kind: 'status', status: 400, message: 'credit balance' },
      'hostedllm API error: 400 credit balance',
      false,
      2,
    ],
    [
      '404',
      { kind: 'status', status: 404, message: 'model: x' },
      'hostedllm API error: 404 model: x. Check hostedllm.model and hostedllm.endpoint.',
      false,
      1,
    ],
    [
      'garbage',
      { kind: 'garbage' },
      "hostedllm API error: 200 with a reply that is not the Messages API's",
      true,
      1,
    ],
    [
      'truncated',
      { kind: 'truncated' },
      "hostedllm API error: 200 with a reply that is not the Messages API's",
      true,
      1,
    ],
  ])('%s', async (_, fault, error, retryable, calls) => {
    server.fail('messages', fault);
    expect(await backend().summarise(events(1), never)).toEqual({ kind: 'outage', error, retryable });
    expect(server.requests).toHaveLength(calls);
  });

  test('that passes is tried over, after the time the server asks for', async () => {
    server.fail('messages', { kind: 'status', status: 429, retryAfter: '0.05' }, 1);
    server.fail('messages', { kind: 'status', status: 529 }, 1);
    expect(await backend().summarise(events(1), never)).toMatchObject({ kind: 'done' });
  });

  test('that asks for more patience than a call has is handed on', async () => {
    server.fail('messages', { kind: 'status', status: 429, retryAfter: '90' });
    expect(await backend().summarise(events(1), never)).toMatchObject({
      kind: 'outage',
      retryAfterMs: 90_000,
    });
    expect(server.requests).toHaveLength(1);
  });

  test('the key goes nowhere but into the header', async () => {
    const other = await startModelServer();
    const faults: readonly Fault[] = [
      { kind: 'redirect', to: `${other.url}/v1/messages` },
      { kind: 'status', status: 400, message: `bad header x-api-key: ${apiKey}` },
      { kind: 'status', status: 403, message: `${apiKey.slice(0, 12)}...` },
      { kind: 'status', status: 500, message: apiKey },
      { kind: 'reset' },
    ];
    for (const fault of faults) {
      server.fail('messages', null);
      server.fail('messages', fault);
      const outcome = await backend().summarise(events(1), never);
      expect(outcome.kind).toBe('outage');
      expect(JSON.stringify(outcome)).not.toContain(apiKey.slice(0, 12));
    }
    expect(other.requests).toEqual([]);
    expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toContain(apiKey);
    await other.close();
  });
});

describe('unavailable', () => {
  test('when nobody is at the address; the look sends nothing', async () => {
    const port = await closedPort();
    const absent = backend({ endpoint: `http://localhost:${port}` });
    expect(await absent.unavailable(never)).toBe(`fetch failed: connect ECONNREFUSED 127.0.0.1:${port}`);
    expect(await backend().unavailable(never)).toBeNull();
    expect(server.requests).toEqual([]);
  });

  test('a look that the caller has stopped ends', async () => {
    expect(await backend().unavailable(AbortSignal.abort())).toBeNull();
  });
});
