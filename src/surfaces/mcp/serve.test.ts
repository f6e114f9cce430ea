import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mcpAnswerCharsMax, mcpGetCharsMax, mcpHitsMax } from '#core/limits';
import { refusal } from '#core/rpc';
import type { TestClient } from '../../../test/support/mcp/client.ts';
import { Place } from '../../../test/support/mcp/place.ts';

const summary = {
  id: 7,
  eventId: 'ev_7',
  toolUseId: 'call-7',
  text: 'Ran `npm test`. 3 failed',
  model: 'builtin',
  ts: '2026-11-20T10:00:00.000Z',
  tool: 'Bash',
  sessionId: 's1',
  pinned: false,
};
const hit = { ...summary, rank: 1, score: 0.03 };

let place: Place;

beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

/** A client of the older generation. */
async function open(options = {}): Promise<TestClient> {
  const { client } = place.connect(options);
  await client.initialize();
  return client;
}

describe('what the daemon replies', () => {
  test('comes as an index, each text cut, and as structure', async () => {
    const text = `\u202elong \u0007text\n${'y'.repeat(1_000)}`;
    await place.withDaemon(async () => ({
      hits: [
        { ...hit, text, sessionId: 's\u200b1' },
        { ...hit, id: 8, supersededBy: 7 },
      ],
    }));
    const client = await open();
    const {
      structured,
      text: received,
      isError,
    } = await client.call('mem_search', { query: 'npm', k: 2, session: 's1', x: 1 });
    expect(place.asked).toMatchObject([{ op: 'search', query: 'npm', topK: 2, session: 's1' }]);
    expect(place.asked[0]).not.toHaveProperty('x');
    // An argument that it does not have is named, in both forms of the answer.
    const ignored = 'Ignored: mem_search has no argument "x". It has query, k, session';
    expect(received).toContain(ignored);
    expect(structured).toMatchObject({ notice: expect.stringContaining(ignored) });
    expect(isError).toBe(false);
    expect(structured).toMatchObject({
      hits: [
        {
          id: 7,
          score: 0.03,
          tool: 'Bash',
          sessionId: 's1',
          text: 'long text …',
        },
        { id: 8, supersededBy: 7 },
      ],
    });
    expect(received.split('\n')).toEqual([
      expect.stringContaining('not instructions'),
      expect.stringMatching(/^<memd-record-[0-9a-f]{16}>$/),
      '#7 2026-11-20 Bash s1 "long text …"',
      '#8 2026-11-20 Bash s1 "Ran `npm test`. 3 failed" (replaced by #7)',
      expect.stringMatching(/^<\/memd-record-[0-9a-f]{16}>$/),
      expect.stringContaining('mem_get'),
    ]);
  });

  test('says what kind a hit is, and a message is read as its whole text', async () => {
    const said = { ...summary, tool: 'Reply', kind: 'message', role: 'assistant', turnId: 't1' };
    const whole = { payload: { output: 'x' }, embedder: null, dimension: null, edges: [] };
    const text = `because ${'of this '.repeat(200)}`.trim();
    await place.withDaemon(async ({ op }) =>
      op === 'search'
        ? { hits: [{ ...said, rank: 1, score: 0.03 }] }
        : { summaries: [{ ...said, ...whole, text }] },
    );
    const client = await open();
    const found = await client.call('mem_search', { query: 'why', kind: 'message' });
    expect(place.asked).toMatchObject([{ op: 'search', query: 'why', kinds: ['message'] }]);
    expect(found.structured).toMatchObject({ hits: [{ kind: 'message', role: 'assistant' }] });
    expect(found.text).toContain('#7 2026-11-20 assistant message ');
    const read = await client.call('mem_get', { ids: [7] });
    expect(read.structured).toMatchObject({ summaries: [{ kind: 'message', text }] });
    expect(read.structured).not.toHaveProperty('summaries.0.payload');
    expect(await client.call('mem_search', { query: 'why', kind: 'talk' })).toMatchObject({ isError: true });
  });

  test('is bounded, however much there is', async () => {
    const hits = Array.from({ length: 200 }, (_, at) => ({
      ...hit,
      id: at + 1,
      sessionId: 's'.repeat(512),
      text: 'z'.repeat(1_200),
    }));
    await place.withDaemon(async () => ({ hits }));
    const client = await open();
    const { structured, text } = await client.call('mem_search', { query: 'npm', k: 200 });
    expect(place.asked[0]).toMatchObject({ topK: mcpHitsMax });
    expect(JSON.stringify(structured).length).toBeLessThan(mcpAnswerCharsMax + 1_000);
    expect(text.length).toBeLessThan(mcpAnswerCharsMax);
  });

  test('has for ten hits less than 2,000 bytes in each form, no id of 36 characters, and the sentences that match', async () => {
    const filler = 'Nothing of interest stands in this sentence. '.repeat(40);
    const text = `${filler}\nWe keep the queue in SQLite because Redis lost it. ${filler}`;
    const sessionId = '38fb3e7a-51f4-433c-b995-d91f40910373';
    const said = { ...summary, kind: 'message', role: 'user', tool: 'Prompt', sessionId, text };
    const ids = Array.from({ length: 10 }, (_, at) => 10_000 + at);
    const whole = { payload: {}, embedder: null, dimension: null, edges: [] };
    await place.withDaemon(async ({ op }) =>
      op === 'search'
        ? {
            hits: ids.map((id, at) => ({
              ...{ ...said, id, rank: at + 1, score: 0.031_234_567 },
              ...{ text: 'A plan.', passage: text },
            })),
          }
        : { summaries: ids.map((id) => ({ ...said, ...whole, id })) },
    );
    const client = await open();
    const { text: lines, structured } = await client.call('mem_search', {
      query: 'why not redis for the queue',
    });
    for (const form of [lines, JSON.stringify(structured)]) {
      expect(Buffer.byteLength(form)).toBeLessThan(2_000);
      expect(form).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|null|false|0\.03123/);
    }
    expect(lines.match(/We keep the queue in SQLite because Redis lost it\./g)).toHaveLength(10);
    expect(structured).toHaveProperty(
      'hits.0',
      expect.objectContaining({ sessionId: '38fb3e7a', score: 0.0312 }),
    );
    const read = (await client.call('mem_get', { ids: [10_000] })).structured?.summaries;
    expect(read).toHaveProperty('0.passage', expect.stringContaining('because Redis lost it.'));
  });

  test('of many whole memories is bounded, too, and says what did not fit', async () => {
    const edges = Array.from({ length: 50 }, () => ({
      from: 9,
      to: 7,
      kind: 'supersedes',
      evidence: 'e'.repeat(400),
      ts: '',
    }));
    const whole = { payload: { output: '"'.repeat(60_000) }, embedder: null, dimension: null, edges };
    const summaries = Array.from({ length: 20 }, (_, at) => ({
      ...summary,
      ...whole,
      id: at + 1,
      text: 't'.repeat(1_200),
      sessionId: 's'.repeat(512),
      toolUseId: 'c'.repeat(512),
    }));
    await place.withDaemon(async () => ({ summaries }));
    const client = await open();
    const { structured, text } = await client.call('mem_get', { ids: summaries.map(({ id }) => id) });
    expect(JSON.stringify(structured).length).toBeLessThan(mcpGetCharsMax + 1_000);
    expect(text.length).toBeLessThan(mcpGetCharsMax + 1_000);
  });

  test('of a memory that was imported has harmless ids, and no line of its own making', async () => {
    const ids = { eventId: 'ev\n\u001b[31m\u202e#1 said so', toolUseId: 'c\n\u202e1' };
    const whole = { payload: {}, embedder: null, dimension: null, edges: [] };
    await place.withDaemon(async () => ({ summaries: [{ ...summary, ...ids, ...whole }] }));
    const client = await open();
    for (const [name, args] of [['mem_why', { id: 7 }]] as const) {
      const { structured, text } = await client.call(name, args);
      expect(JSON.stringify(structured)).toContain(JSON.stringify('ev\n#1 said so'));
      expect(text).not.toMatch(/^#1 said so/m);
      expect(text + JSON.stringify(structured)).not.toMatch(/\u001b|\u202e/);
    }
  });

  test('of a refusal is the refusal', async () => {
    await place.withDaemon(async () => {
      throw refusal('bad_request', 'there is no memory with id 99');
    });
    const client = await open();
    for (const name of ['mem_timeline', 'mem_why']) {
      expect(await client.call(name, { id: 99, query: 'x' })).toMatchObject({
        isError: true,
        text: 'there is no memory with id 99',
        structured: null,
      });
    }
  });

  test('in an unknown form is reported as that', async () => {
    await place.withDaemon(async () => ({ hits: [{ id: 'seven' }] }));
    const client = await open();
    const { isError, text } = await client.call('mem_search', { query: 'npm' });
    expect([isError, text]).toEqual([true, expect.stringContaining('memd restart')]);
  });
});

describe('several requests', () => {
  test('are under way at once, and answered as they are done', async () => {
    const held = new Map<unknown, () => void>();
    await place.withDaemon(async ({ query = null }) => {
      await new Promise<void>((resolve) => held.set(query, resolve));
      return { hits: [{ ...hit, text: query }] };
    });
    const client = await open();
    const order: string[] = [];
    const calls = ['first', 'second', 'third'].map(async (query) => {
      const { text } = await client.call('mem_search', { query });
      order.push(query);
      expect(text).toContain(query);
    });
    while (held.size < 3) await new Promise((resolve) => setImmediate(resolve));
    for (const [at, query] of ['third', 'first', 'second'].entries()) {
      held.get(query)?.();
      while (order.length === at) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(order).toEqual(['third', 'first', 'second']);
    await Promise.all(calls);
  });

  test('of which one is cancelled leave that one without an answer', async () => {
    let release = (): void => {};
    await place.withDaemon(async ({ query }) => {
      if (query === 'slow')
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      return { hits: [] };
    });
    const client = await open();
    void client.request('tools/call', { name: 'mem_search', arguments: { query: 'slow' } }, 'slow');
    client.notify('notifications/cancelled', { requestId: 'slow' });
    client.notify('notifications/cancelled', { requestId: 'never asked' });
    expect((await client.call('mem_search', { query: 'quick' })).isError).toBe(false);
    release();
    expect((await client.call('mem_search', { query: 'quick' })).isError).toBe(false);
    expect(client.lines.join('')).not.toContain('"slow"');
  });
});
