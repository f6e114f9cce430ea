import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closedPort, type ModelServer, startModelServer } from '../../../test/model-server.ts';
import type { Question } from './http.ts';
import { askPatiently, type RetryPolicy } from './retry.ts';

let server: ModelServer;
const never = new AbortController().signal;
const quick: RetryPolicy = { retriesMax: 3, baseMs: 1, retryAfterMsMax: 2_000 };

beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const question = (more: Partial<Question> = {}): Question => ({
  base: server.url,
  path: '/api/version',
  timeoutMs: 20_000,
  ...more,
});

describe('asked again', () => {
  test.each([408, 429, 500, 502, 503, 529])('after %d', async (status) => {
    server.fail('probe', { kind: 'status', status }, 2);
    expect(await askPatiently(question(), never, quick)).toMatchObject({ status: 200 });
    expect(server.requests).toHaveLength(3);
  });

  test('after a connection that broke', async () => {
    server.fail('probe', { kind: 'reset' }, 1);
    expect(await askPatiently(question(), never, quick)).toMatchObject({ status: 200 });
  });

  test('not before the server wants it', async () => {
    server.fail('probe', { kind: 'status', status: 429, retryAfter: '0.2' }, 1);
    const before = performance.now();
    expect(await askPatiently(question(), never, quick)).toMatchObject({ status: 200 });
    // A lower bound only: a busy machine may be as late as it likes. Timers may fire a millisecond early.
    expect(performance.now() - before).toBeGreaterThanOrEqual(199);
  });

  test('no more often than the policy says; the last reply counts', async () => {
    server.fail('probe', { kind: 'status', status: 500 });
    expect(await askPatiently(question(), never, quick)).toMatchObject({ status: 500 });
    expect(server.requests).toHaveLength(4);
  });
});

describe('asked once', () => {
  test.each([400, 401, 403, 404, 413])('after %d', async (status) => {
    server.fail('probe', { kind: 'status', status });
    expect(await askPatiently(question(), never, quick)).toMatchObject({ status });
    expect(server.requests).toHaveLength(1);
  });

  test('when the server asks for more patience than there is', async () => {
    server.fail('probe', { kind: 'status', status: 429, retryAfter: '3' });
    expect(await askPatiently(question(), never, quick)).toMatchObject({ status: 429, retryAfterMs: 3_000 });
    server.fail('probe', null);
    server.fail('probe', { kind: 'status', status: 429, retryAfter: '50' });
    const patient = { ...quick, retryAfterMsMax: 60_000 };
    expect(await askPatiently(question(), never, patient)).toMatchObject({ status: 429 });
    expect(server.requests).toHaveLength(2);
  });

  test('when it times out or nobody is there', async () => {
    server.fail('probe', { kind: 'hang' });
    expect(await askPatiently(question({ timeoutMs: 50 }), never, quick)).toMatchObject({ reach: 'timeout' });
    // On a busy machine the time is over before the request leaves.
    expect(server.requests.length).toBeLessThanOrEqual(1);
    const base = `http://127.0.0.1:${await closedPort()}`;
    expect(await askPatiently(question({ base }), never, quick)).toMatchObject({ reach: 'absent' });
  });
});

test('a stop ends the wait between two tries', async () => {
  server.fail('probe', { kind: 'status', status: 500 });
  const stopping = new AbortController();
  const asked = askPatiently(question({ timeoutMs: 600_000 }), stopping.signal, {
    ...quick,
    baseMs: 300_000,
    retryAfterMsMax: 600_000,
  });
  await server.arrived('probe');
  stopping.abort();
  await asked;
  expect(server.requests).toHaveLength(1);
});

test('a timeout after retries names the time for all of them', async () => {
  server.fail('probe', { kind: 'status', status: 500 }, 1);
  server.fail('probe', { kind: 'hang' });
  const reply = await askPatiently(question({ timeoutMs: 1_500 }), never, quick);
  expect(reply).toMatchObject({ error: 'fetch failed: timeout after 1500 ms' });
});
