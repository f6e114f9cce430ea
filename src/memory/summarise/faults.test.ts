/** Every way a model can fail, for both kinds of model, through a whole drain over HTTP. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  believable,
  closedPort,
  type Fault,
  type ModelServer,
  startModelServer,
} from '../../../test/model-server.ts';
import { isAll } from '../../../test/support/slow.ts';
import { Bench, untouched } from '../../../test/support/summarise/drain.ts';
import type { Backend } from './backend.ts';
import { type Breaker, breaker } from './breaker.ts';
import { hostedBackend } from './hosted.ts';
import type { Budget } from './hosted-chat.ts';
import { localBackend } from './local.ts';

const apiKey = 'test-key-that-nobody-may-see-0123456789';
const retries = { retriesMax: 1, baseMs: 1, retryAfterMsMax: 200 };
const purse: Budget = { dailyTokens: 1_000_000, remaining: () => 1_000_000, spend: () => undefined };
let server: ModelServer;
let bench: Bench;

beforeEach(async () => {
  server = await startModelServer({ apiKey });
  bench = new Bench();
});
afterEach(async () => {
  bench.remove();
  await server.close();
});

interface Kind {
  readonly provider: string;
  readonly endpoint: 'chat' | 'messages';
  open(base: string, timeoutMs: number, gate?: Breaker): Backend;
}

const kinds: Readonly<Record<'local' | 'hosted', Kind>> = {
  local: {
    provider: 'ollama',
    endpoint: 'chat',
    open: (base, timeoutMs, gate) =>
      localBackend({ endpoint: base, model: 'llama3.2:3b', timeoutMs, retries }, gate),
  },
  hosted: {
    provider: 'hostedllm',
    endpoint: 'messages',
    open: (base, timeoutMs, gate) =>
      hostedBackend(
        { endpoint: base, model: 'claude-haiku-4-5', apiKey, budget: purse, timeoutMs, retries },
        gate,
      ),
  },
};

/** One drain by a backend as good as new: another process would know nothing of an earlier outage. */
const drained = (kind: Kind, timeoutMs = 5_000, base = server.url) =>
  bench.run({ backend: kind.open(base, timeoutMs, breaker()), calls: [] });

describe.each(isAll ? Object.values(kinds) : [kinds.hosted])('$provider', (kind) => {
  const at = kind.endpoint;
  const status = (code: number, more: { retryAfter?: string; message?: string } = {}): Fault => ({
    kind: 'status',
    status: code,
    ...more,
  });

  test.each<[string, Fault, RegExp, number]>([
    ['hangs', { kind: 'hang' }, /^fetch failed: timeout after 250 ms$/, 1],
    ['streams too slowly', { kind: 'slow', pauseMs: 40 }, /^fetch failed: timeout after 250 ms$/, 1],
    ['closes the socket', { kind: 'reset' }, /^fetch failed: /, 2],
    ['answers with a page', { kind: 'garbage' }, /API error: 200 with a reply that is not/, 1],
    ['answers with half its JSON', { kind: 'truncated' }, /API error: 200 with a reply that is not/, 1],
    ['answers too much', { kind: 'oversized', bytes: 9_000_000 }, /larger than \d+ bytes$/, 2],
    ['redirects', { kind: 'redirect', to: 'http://127.0.0.1:1/' }, /API error: 307/, 1],
    ['says 401', status(401, { message: 'invalid x-api-key' }), /API error: 401/, 1],
    ['says 403', status(403), /API error: 403/, 1],
    ['says 429', status(429, { message: 'slow down' }), /API error: 429 slow down$/, 2],
    ['says 429 for long', status(429, { retryAfter: '90' }), /API error: 429/, 1],
    ['says 500', status(500), /API error: 500/, 2],
    ['says 503', status(503), /API error: 503/, 2],
    ['says 529', status(529, { message: 'Overloaded' }), /API error: 529 Overloaded$/, 2],
    ['says 400', status(400, { message: 'no' }), /API error: 400 no$/, 2],
    ['says 422', status(422), /API error: 422/, 2],
    ['has not the model', status(404, { message: "model 'x' not found" }), /API error: 404 model/, 1],
  ])(
    'one that %s: an outage that marks no row, however often, and ends when it ends',
    async (_, fault, error, calls) => {
      bench.fill(2);
      server.fail(at, fault);
      const isSlow = fault.kind === 'hang' || fault.kind === 'slow';
      for (let turn = 1; turn <= 4; turn += 1) {
        const { processed, firstError } = await drained(kind, isSlow ? 250 : 5_000);
        expect({ processed, firstError }).toEqual({ processed: 0, firstError: expect.stringMatching(error) });
        expect(firstError).not.toContain(apiKey);
        // With a slow one the time may be up before the request arrives.
        const asked = server.requestsTo(at).length;
        expect(asked).toBeLessThanOrEqual(turn * calls);
        if (!isSlow) expect(asked).toBe(turn * calls);
      }
      expect(bench.rows()).toMatchObject([untouched, untouched]);
      server.fail(at, null);
      expect(await drained(kind)).toEqual({ processed: 2 });
    },
  );

  test('nobody there: the connection error with its address, and no row marked', async () => {
    bench.fill(1);
    const port = await closedPort();
    expect(await drained(kind, 5_000, `http://localhost:${port}`)).toEqual({
      processed: 0,
      firstError: `fetch failed: connect ECONNREFUSED 127.0.0.1:${port}`,
    });
    expect(bench.row('ev_0')).toMatchObject(untouched);
  });

  test('a short retry-after is waited for, and the drain goes on', async () => {
    bench.fill(2);
    server.fail(at, status(429, { retryAfter: '0.05' }), 1);
    expect(await drained(kind)).toEqual({ processed: 2 });
    expect(server.requestsTo(at)).toHaveLength(2);
  });

  test('a slow but sound stream is waited for', async () => {
    bench.fill(1);
    server.fail(at, { kind: 'slow', pauseMs: 1 }, 1);
    expect(await drained(kind, 30_000)).toEqual({ processed: 1 });
  });

  test.each([
    ['not JSON', 'I cannot help with that.'],
    ['JSON of another shape', '{"answer":42}'],
    ['cut short', '{"summaries":[{"id":1,"text":"ab'],
    ['an empty list', '{"summaries":[]}'],
  ])('answers that are %s count against the rows, which are skipped with the third', async (_, text) => {
    bench.fill(1);
    server.fail(at, { kind: 'content', text });
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await drained(kind)).toMatchObject({
        processed: 0,
        firstError: expect.stringMatching(/^event ev_0: /),
      });
    }
    expect(bench.row('ev_0')).toMatchObject({
      status: 'skipped',
      attempts: 3,
      last_error: expect.any(String),
    });
    expect(bench.reports).toHaveLength(1);
  });

  test.each([
    ['too few', 1],
    ['too many', -1],
  ])('%s answers: the ones that are missing are asked for again, each event has its own', async (_, cut) => {
    await server.close();
    server = await startModelServer({
      apiKey,
      answers: (events) =>
        cut > 0 && events.length > 1
          ? believable(events).slice(cut)
          : [...believable(events), { id: 77, text: 'of nobody', terms: '' }],
    });
    bench.fill(3);
    expect(await drained(kind)).toEqual({ processed: 3 });
    expect(bench.store.summaries.recent(5, null, {}).map((one) => /"n":\d/.exec(one.text)?.[0])).toEqual([
      '"n":2',
      '"n":1',
      '"n":0',
    ]);
  });

  describe('that refuses what one event says', () => {
    const refusing = async () => {
      await server.close();
      server = await startModelServer({ apiKey, refuses: (text) => /"n":[57]\b/.test(text) });
    };
    const at5 = { attempts: 1, last_error: `${kind.provider} API error: 400 this text is not taken` };

    test('its batch is split until it is alone: the others are done, and it is skipped with the third drain', async () => {
      await refusing();
      bench.fill(9);
      const many = { batchSize: 16 };
      const backend = kind.open(server.url, 5_000);
      expect(await bench.run({ backend, calls: [] }, null, many)).toMatchObject({ processed: 7 });
      expect([bench.row('ev_5'), bench.row('ev_7')]).toMatchObject([at5, at5]);
      // Each refusal is followed by one small question.
      expect(server.requestsTo(at).length).toBeLessThanOrEqual(2 * 2 * Math.ceil(Math.log2(9)) * 2);
      for (let turn = 2; turn <= 3; turn += 1) await drained(kind);
      expect([bench.row('ev_5'), bench.row('ev_7')]).toMatchObject([
        { status: 'skipped', attempts: 3 },
        { status: 'skipped', attempts: 3 },
      ]);
      const asked = server.requests.length;
      expect(await drained(kind)).toEqual({ processed: 0 });
      expect(server.requests).toHaveLength(asked);
    });

    test('one that waits alone counts, unless a harmless question is refused as well', async () => {
      await refusing();
      bench.fill(6);
      await drained(kind);
      expect(bench.row('ev_5')).toMatchObject(at5);
      await drained(kind);
      expect(bench.row('ev_5')).toMatchObject({ status: 'raw', attempts: 2 });
      server.fail(at, status(400));
      await drained(kind);
      expect(bench.row('ev_5')).toMatchObject({ status: 'raw', attempts: 2 });
    });

    test('one event that was never tried with others is skipped with the third drain', async () => {
      await refusing();
      bench.fill(6);
      bench.store.connection.run("DELETE FROM events WHERE id <> 'ev_5'");
      for (let turn = 1; turn <= 3; turn += 1) {
        expect(await drained(kind)).toEqual({ processed: 0, firstError: `event ev_5: ${at5.last_error}` });
      }
      expect(bench.row('ev_5')).toMatchObject({ status: 'skipped', attempts: 3 });
    });
  });

  describe('that refuses every event, though not a harmless question', () => {
    const error = `${kind.provider} API error: 400 this text is not taken`;
    const refusingAll = async () => {
      await server.close();
      server = await startModelServer({ apiKey, refuses: (text) => /"n":\d/.test(text) });
      bench.fill(12);
    };

    test.each([1, 4, 8])('in batches of %i: an outage that marks no row, and is shown', async (batchSize) => {
      await refusingAll();
      for (let turn = 1; turn <= 6; turn += 1) {
        const backend = kind.open(server.url, 5_000, breaker());
        expect(await bench.run({ backend, calls: [] }, null, { batchSize })).toEqual({
          processed: 0,
          firstError: error,
        });
      }
      expect(bench.rows()).toEqual(bench.rows().map((row) => ({ ...row, ...untouched })));
      expect(bench.reports).toHaveLength(6);
    });

    test('and is not asked again before the breaker allows it', async () => {
      await refusingAll();
      const gate = breaker();
      const backend = kind.open(server.url, 5_000, gate);
      await bench.run({ backend, calls: [] });
      expect(gate.last()).toMatchObject({ error });
      const asked = server.requests.length;
      await bench.run({ backend, calls: [] });
      expect(server.requests).toHaveLength(asked);
    });

    test('until it accepts some: then the others count', async () => {
      await refusingAll();
      await drained(kind);
      await server.close();
      server = await startModelServer({ apiKey, refuses: (text) => /"n":[0-7]\b/.test(text) });
      expect(await drained(kind)).toMatchObject({ processed: 4 });
      expect(bench.rows().map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0]);
    });
  });

  test('a stop ends a call that hangs, marks nothing and closes the connection', async () => {
    bench.fill(2);
    server.fail(at, { kind: 'hang' });
    const draining = drained(kind, 60_000);
    await server.arrived(at);
    bench.stop.abort();
    expect(await draining).toEqual({ processed: 0 });
    expect(bench.rows()).toMatchObject([untouched, untouched]);
    expect(bench.reports).toEqual([]);
  });

  test('after an outage the breaker keeps the next drains of this process from asking', async () => {
    bench.fill(1);
    server.fail(at, status(403));
    const backend = kind.open(server.url, 5_000, breaker());
    for (let turn = 0; turn < 3; turn += 1) await bench.run({ backend, calls: [] });
    expect(server.requestsTo(at)).toHaveLength(1);
    expect(bench.row('ev_0')).toMatchObject(untouched);
  });
});

test('a refused hosted key gives the exact error', async () => {
  bench.fill(1);
  server.fail('messages', { kind: 'status', status: 401, message: 'invalid x-api-key' });
  expect(await drained(kinds.hosted)).toEqual({ processed: 0, firstError: 'hostedllm API error: 401' });
});

test('hostedllm, that does not give out what one event says: it counts against that row, and its mate is done', async () => {
  bench.fill(2);
  const message = 'Output blocked by content filtering policy';
  server.fail('messages', { kind: 'status', status: 400, message }, 2);
  const error = `hostedllm API error: 400 ${message}`;
  expect(await drained(kinds.hosted)).toEqual({ processed: 1, firstError: `event ev_0: ${error}` });
  expect(bench.row('ev_0')).toMatchObject({ status: 'raw', attempts: 1, last_error: error });
  expect(bench.row('ev_1')).toMatchObject({ status: 'summarized' });
});
