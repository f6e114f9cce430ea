import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closedPort, type ModelServer, startModelServer } from '../../../test/model-server.ts';
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

describe('the daily budget', () => {
  const exhausted =
    /^hostedllm daily token budget of \d+ (is used up|has too little left for another call); it resets at 00:00 UTC/;

  test('once spent, nothing is asked of the API', async () => {
    const budget = purse(1_500);
    budget.spend({ calls: 1, inputTokens: 1_400, outputTokens: 100 });
    const hosted = backend({ budget });
    expect(await hosted.unavailable(never)).toMatch(
      /^hostedllm daily token budget of 1500 is used up; it resets at 00:00 UTC/,
    );
    expect(await hosted.summarise(events(1), never)).toMatchObject({ kind: 'outage', retryable: false });
    expect(server.requests).toEqual([]);
  });

  test('a call that will not fit is not made, and makes the backend unavailable until there is more', async () => {
    const budget = purse(200);
    const hosted = backend({ budget });
    expect(await hosted.unavailable(never)).toBeNull();
    expect(await hosted.summarise(events(1), never)).toMatchObject({
      error: expect.stringMatching(exhausted),
    });
    expect(await hosted.unavailable(never)).toMatch(exhausted);
    budget.spent.push({ calls: 0, inputTokens: -5_000, outputTokens: 0 });
    expect(await hosted.unavailable(never)).toBeNull();
    expect(await hosted.summarise(events(1), never)).toMatchObject({ kind: 'done' });
  });

  test('is overrun by at most one call, however long the drain', async () => {
    const budget = purse(3_000);
    const hosted = backend({ budget });
    let outcome = await hosted.summarise(events(4), never);
    while (outcome.kind === 'done') outcome = await hosted.summarise(events(4), never);
    expect(outcome.error).toMatch(exhausted);
    expect(budget.remaining()).toBeGreaterThan(-120);
  });

  test('pays by estimate for a call that may have been billed and was not answered', async () => {
    const budget = purse();
    server.fail('messages', { kind: 'hang' });
    expect(await backend({ budget, timeoutMs: 60 }).summarise(events(1), never)).toMatchObject({
      error: 'fetch failed: timeout after 60 ms',
    });
    expect(budget.spent).toHaveLength(1);
    expect(budget.spent[0]?.inputTokens).toBeGreaterThan(100);
  });

  test.each([
    ['a server that fails', { kind: 'status', status: 500 }],
    ['a connection that breaks', { kind: 'reset' }],
  ] as const)('pays for each try at %s', async (_, fault) => {
    const budget = purse();
    server.fail('messages', fault, 2);
    expect(await backend({ budget }).summarise(events(1), never)).toMatchObject({ kind: 'done' });
    const [first, second, answered, ...more] = budget.spent;
    expect(more).toEqual([]);
    expect(first?.inputTokens).toBeGreaterThan(100);
    expect([second, answered]).toEqual([first, { calls: 1, inputTokens: 100, outputTokens: 20 }]);
  });

  test('makes no retry that it has too little left for', async () => {
    const tries = purse();
    server.fail('messages', { kind: 'reset' });
    expect(await backend({ budget: tries }).summarise(events(1), never)).toMatchObject({ kind: 'outage' });
    const [{ inputTokens, outputTokens } = { inputTokens: 0, outputTokens: 0 }] = tries.spent;
    expect(tries.spent).toHaveLength(3);
    const before = server.requests.length;
    const budget = purse(2 * (inputTokens + outputTokens));
    expect(await backend({ budget }).summarise(events(1), never)).toMatchObject({ kind: 'outage' });
    expect(server.requests.length - before).toBe(2);
    expect(budget.remaining()).toBe(0);
  });

  test('pays nothing for a call that was turned away before any work', async () => {
    const budget = purse();
    for (const status of [429, 503, 529]) {
      server.fail('messages', { kind: 'status', status });
      expect(await backend({ budget }).summarise(events(1), never)).toMatchObject({ kind: 'outage' });
    }
    expect(budget.spent).toEqual([]);
  });

  test('pays nothing for a call that reached nobody', async () => {
    const budget = purse();
    const endpoint = `http://127.0.0.1:${await closedPort()}`;
    await backend({ budget, endpoint }).summarise(events(1), never);
    expect(budget.spent).toEqual([]);
  });
});
