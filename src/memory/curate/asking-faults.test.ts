/** Every way in which a model that is asked about pairs can fail, for both kinds of model, over HTTP. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { breaker, chatWithBreaker } from '#memory/summarise';
import { closedPort, type Fault } from '../../../test/model-server.ts';
import { AskingBench, apiKey, kinds, untouched } from '../../../test/support/curate/asking.ts';
import { isAll } from '../../../test/support/slow.ts';
import { pairAttemptsMax } from './asking.ts';

let bench: AskingBench;

beforeEach(async () => {
  bench = await AskingBench.open();
});
afterEach(() => bench.close());

describe.each(isAll ? Object.values(kinds) : [kinds.hosted])('$model', (kind) => {
  const at = kind.endpoint;
  const status = (code: number, more: { retryAfter?: string; message?: string } = {}): Fault => ({
    kind: 'status',
    status: code,
    ...more,
  });

  test.each<[string, Fault, RegExp, number]>([
    ['hangs', { kind: 'hang' }, /^fetch failed: timeout after 250 ms$/, 1],
    ['closes the socket', { kind: 'reset' }, /^fetch failed: /, 2],
    ['answers with a page', { kind: 'garbage' }, /API error: 200 with a reply that is not/, 1],
    ['answers with half its JSON', { kind: 'truncated' }, /API error: 200 with a reply that is not/, 1],
    ['says 400', status(400), /API error: 400/, 2],
    ['says 401', status(401, { message: 'invalid x-api-key' }), /API error: 401/, 1],
    ['says 429', status(429, { message: 'slow down' }), /API error: 429 slow down$/, 2],
    ['says 429 for long', status(429, { retryAfter: '90' }), /API error: 429/, 1],
    ['says 500', status(500), /API error: 500/, 2],
    ['says 529', status(529, { message: 'Overloaded' }), /API error: 529 Overloaded$/, 2],
    ['has not the model', status(404, { message: "model 'x' not found" }), /API error: 404 model/, 1],
  ])(
    'one that %s: an outage that marks no pair, however often, and ends when it ends',
    async (_, fault, error, calls) => {
      bench.pairs(2);
      bench.server.fail(at, fault);
      for (let turn = 1; turn <= pairAttemptsMax + 1; turn += 1) {
        const done = await bench.ask(bench.model(kind, fault.kind === 'hang' ? 250 : 5_000));
        expect(done).toEqual({ settled: 0, edges: 0, outage: expect.stringMatching(error) });
        expect(done?.outage).not.toContain(apiKey);
        // Of one that hangs, time may be up before the request is there.
        const asked = bench.server.requestsTo(at).length;
        expect(asked).toBeLessThanOrEqual(turn * calls);
        if (fault.kind !== 'hang') expect(asked).toBe(turn * calls);
      }
      expect(bench.marks()).toEqual([untouched, untouched]);
      bench.server.fail(at, null);
      expect(await bench.ask(bench.model(kind))).toEqual({ settled: 2, edges: 0 });
    },
  );

  test('a pair whose question is refused counts alone; its mates are settled in the same pass', async () => {
    await bench.serve({ refuses: (text) => text.includes('config-1') || text.includes('File 1 ') });
    bench.pairs(4);
    expect(await bench.ask(bench.model(kind))).toEqual({ settled: 3, edges: 0 });
    expect(bench.marks().filter(({ attempts }) => attempts === 1)).toHaveLength(1);
  });

  test('nobody there: the connection error with its address, and no pair marked', async () => {
    bench.pairs(1);
    const port = await closedPort();
    expect(await bench.ask(bench.model(kind, 5_000, `http://localhost:${port}`))).toEqual({
      settled: 0,
      edges: 0,
      outage: `fetch failed: connect ECONNREFUSED 127.0.0.1:${port}`,
    });
    expect(bench.marks()).toEqual([untouched]);
  });

  test('a short retry-after is waited for', async () => {
    bench.pairs(1);
    bench.server.fail(at, status(429, { retryAfter: '0.05' }), 1);
    expect(await bench.ask(bench.model(kind))).toEqual({ settled: 1, edges: 0 });
    expect(bench.server.requestsTo(at)).toHaveLength(2);
  });

  test('after an outage the breaker keeps the next passes of this process from asking', async () => {
    bench.pairs(1);
    bench.server.fail(at, status(500));
    const chat = chatWithBreaker(bench.model(kind), breaker());
    for (let turn = 0; turn < 3; turn += 1) await bench.ask(chat);
    expect(bench.server.requestsTo(at)).toHaveLength(2);
    expect(bench.marks()).toEqual([untouched]);
  });

  test.each([
    ['not JSON', 'I cannot help with that.'],
    ['JSON of another shape', '{"answer":42}'],
    ['cut short', '{"verdicts":[{"id":1,"reason":"ab'],
    ['an empty list', '{"verdicts":[]}'],
    ['for another pair', '{"verdicts":[{"id":9,"reason":"r","outdated":"older","verdict":"supersedes"}]}'],
    ['the wrong way round', '{"verdicts":[{"id":1,"reason":"r","outdated":"newer","verdict":"supersedes"}]}'],
  ])('answers that are %s leave the pair open, which is given up with the third', async (_, text) => {
    bench.pairs(1);
    bench.server.fail(at, { kind: 'content', text });
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await bench.ask(bench.model(kind))).toEqual({ settled: 0, edges: 0 });
      bench.later();
    }
    expect(bench.edges()).toEqual([]);
    expect(bench.marks()).toMatchObject([{ attempts: pairAttemptsMax, verdict: 'given up' }]);
    expect(bench.server.requestsTo(at)).toHaveLength(pairAttemptsMax);
    expect(bench.reports).toEqual([
      expect.stringMatching(/^a pair of memories is not asked about again .*the model/),
    ]);
  });

  test('a stop ends a question that hangs and marks nothing', async () => {
    bench.pairs(2);
    bench.server.fail(at, { kind: 'hang' });
    const stop = new AbortController();
    const asking = bench.ask(bench.model(kind, 60_000), stop.signal);
    await bench.server.arrived(at);
    stop.abort();
    expect(await asking).toEqual({ settled: 0, edges: 0 });
    expect(bench.marks()).toEqual([untouched, untouched]);
    expect(bench.reports).toEqual([]);
  });
});
