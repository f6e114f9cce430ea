import { describe, expect, test } from 'vitest';
import { get, remember, testBridges } from '../../../test/support/bridge/bridge.ts';
import { eventAt, summarised } from '../../../test/support/store/store.ts';

const open = testBridges();
const ids = (reply: { summaries: readonly { id: number }[] }): number[] =>
  reply.summaries.map(({ id }) => id);

describe('lists', () => {
  test('are newest first and go on where they ended, whatever comes between', async () => {
    const one = await open(7);
    const first = await get(one, '/api/summaries?limit=3');
    expect(ids(first)).toEqual([7, 6, 5]);
    remember(one.store, 7, 2);
    one.store.summaries.forget(5);
    const second = await get(one, `/api/summaries?limit=3&before=${encodeURIComponent(first.next)}`);
    expect(ids(second)).toEqual([4, 3, 2]);
    const third = await get(one, `/api/summaries?limit=3&before=${encodeURIComponent(second.next)}`);
    expect([ids(third), third.next]).toEqual([[1], null]);
    expect(ids(await get(one, '/api/summaries?before=4'))).toEqual([3, 2, 1]);
    expect(ids(await get(one, '/api/summaries?before=2026-01-01T00:00:02Z'))).toEqual([2, 1]);
  });

  test('are narrowed by session, tool and time', async () => {
    const one = await open(6);
    expect(ids(await get(one, '/api/summaries?session=s0'))).toEqual([4, 1]);
    expect(ids(await get(one, '/api/summaries?tool=Bash'))).toEqual([6, 4, 2]);
    expect(ids(await get(one, '/api/summaries?session=s0&tool=Read'))).toEqual([1]);
    expect(
      ids(await get(one, '/api/summaries?since=2026-01-01T00:00:02Z&until=2026-01-01T00:00:04Z')),
    ).toEqual([4, 3]);
    expect(ids(await get(one, '/api/summaries?tool=bash&since=2026-01-01&until=2026-01-01'))).toEqual([
      6, 4, 2,
    ]);
    expect(ids(await get(one, '/api/summaries?session=last&failed=true&client=Claude-Code'))).toEqual([]);
    expect(ids(await get(one, '/api/summaries?failed=true'))).toEqual([5]);
    const { error } = await get(one, "/api/summaries?session=' OR 1=1 --", 400);
    expect(error.message).toMatch(/^there is no session "' OR 1=1 --"\. .*s2, s1, s0/);
    expect((await get(one, '/api/summaries?tool=Bush', 400)).error.message).toContain('Bash');
  });

  test('say what was said and what was done, and show the turn of a message', async () => {
    const one = await open(3);
    const message = { role: 'user', turnId: null, agentId: null } as const;
    const prompt = eventAt(9, { sessionId: 's0', tool: 'Prompt', input: {}, output: 'why?', message });
    const [id = 0] = summarised(one.store, [prompt], () => 'The user said: why?');
    const { summaries } = await get(one, '/api/summaries?kind=message,session');
    expect(summaries).toMatchObject([{ id, kind: 'message', role: 'user', text: 'The user said: why?' }]);
    expect(ids(await get(one, '/api/summaries?kind=call'))).toEqual([3, 2, 1]);
    expect(await get(one, `/api/summaries/${id}`)).toMatchObject({ kind: 'message', text: 'why?' });
    expect(await get(one, `/api/timeline?id=${id}`)).toMatchObject({ before: [], summary: { id } });
  });

  test('give a session part by part, and refuse what is not one', async () => {
    const one = await open(7);
    const first = await get(one, '/api/session?id=s0&limit=2');
    expect(first).toMatchObject({ session: { sessionId: 's0', events: 3 }, isEnd: false });
    const rest = await get(one, `/api/session?id=s0&limit=2&after=${encodeURIComponent(first.last)}`);
    expect([first.steps.length, rest.steps.length, rest.isEnd]).toEqual([2, 1, true]);
    expect(await get(one, '/api/event?seq=1')).toMatchObject({ seq: 1, sessionId: 's0' });
    await get(one, '/api/session?id=none', 404);
    await get(one, '/api/event?seq=99', 404);
    for (const bad of ['session', 'session?id=s0&after=1', 'change', 'event', 'file'])
      await get(one, `/api/${bad}`, 400);
  });

  test('show what a row is, and what replaced it', async () => {
    const one = await open(6);
    one.store.edges.add([
      { from: 5, to: 1, kind: 'supersedes', evidence: 'again', ts: '2026-01-01T00:00:00.000Z' },
    ]);
    const { summaries } = await get(one, '/api/summaries?limit=200');
    expect(summaries.at(-1)).toEqual({
      id: 1,
      eventId: 'ev_0',
      toolUseId: 'call_0',
      kind: 'call',
      text: 'did 0',
      model: 'm',
      ts: '2026-01-01T00:00:00.000Z',
      tool: 'Read',
      sessionId: 's0',
      pinned: false,
      client: 'claude-code',
      isError: false,
      supersededBy: 5,
    });
    expect(summaries[1]).toMatchObject({ id: 5, isError: true });
    expect(summaries[1]).not.toHaveProperty('supersededBy');
  });

  test('of sessions miss none that goes on meanwhile', async () => {
    const one = await open(6);
    const first = await get(one, '/api/sessions?limit=2');
    expect(first.sessions).toMatchObject([{ sessionId: 's2' }, { sessionId: 's1' }]);
    remember(one.store, 6, 1);
    const rest = await get(one, `/api/sessions?limit=2&before=${encodeURIComponent(first.next)}`);
    expect(rest).toMatchObject({ sessions: [{ sessionId: 's0' }], next: null });
    const reread = await get(one, '/api/sessions?limit=1');
    expect(reread.sessions).toMatchObject([{ sessionId: 's0', events: 3 }]);
  });

  test('of sessions and tools follow what is stored and what is removed', async () => {
    const one = await open(5);
    const sessions = await get(one, '/api/sessions?limit=2');
    expect(sessions.sessions).toMatchObject([
      { sessionId: 's1', events: 2, errors: 1, client: 'claude-code', digest: null },
      {
        sessionId: 's0',
        events: 2,
        errors: 0,
        firstTs: '2026-01-01T00:00:00.000Z',
        lastTs: '2026-01-01T00:00:03.000Z',
      },
    ]);
    const rest = await get(one, `/api/sessions?before=${encodeURIComponent(sessions.next)}`);
    expect(rest).toMatchObject({ sessions: [{ sessionId: 's2', events: 1 }], next: null });
    const tools = (): Promise<unknown> => get(one, '/api/tools');
    expect(await tools()).toEqual({
      tools: [
        { tool: 'Read', count: 3 },
        { tool: 'Bash', count: 2 },
      ],
    });
    remember(one.store, 5, 3);
    expect(await tools()).toEqual({
      tools: [
        { tool: 'Bash', count: 4 },
        { tool: 'Read', count: 4 },
      ],
    });
    one.store.summaries.forget(1);
    expect(await tools()).toEqual({
      tools: [
        { tool: 'Bash', count: 4 },
        { tool: 'Read', count: 3 },
      ],
    });
  });

  test.each([
    'summaries?limit=0',
    'summaries?kind=call,talk',
    'timeline',
    'summaries?limit=201',
    'summaries?limit=1.5',
    'summaries?limit=x',
    'summaries?limit=1&limit=2',
    'summaries?before=x',
    'summaries?since=soon',
    'summaries?failed=maybe',
    'summaries?until=1',
    `summaries?session=${'x'.repeat(2_000)}`,
    'graph',
    'graph?id=0',
    'graph?id=1&depth=4',
    'sessions?before=x',
    'sessions?limit=-1',
  ])('%s is a bad request that names the parameter', async (target) => {
    const { error } = await get(await open(1), `/api/${target}`, 400);
    expect(error).toEqual({
      code: 'bad_request',
      message: expect.stringMatching(
        /^(limit|before|since|until|session|kind|id|depth|failed): (it |".*" is not a time)/,
      ),
    });
  });
});

describe('one memory', () => {
  test('comes with its payload, vector and edges', async () => {
    const one = await open(2);
    one.store.embeddings.save('e', 3, [{ summaryId: 1, text: 'did 0', vector: new Uint8Array(8), dim: 2 }]);
    expect(await get(one, '/api/summaries/1')).toMatchObject({
      id: 1,
      terms: 'term0',
      payload: { tool: 'Read', input: { file_path: 'src/part-0.ts' }, output: 'text 0' },
      embedder: 'e',
      dimension: 2,
      edges: [],
    });
    const edge = { from: 2, to: 1, kind: 'contradicts', evidence: 'because', ts: '2026-01-01' } as const;
    one.store.edges.add([edge]);
    expect(await get(one, '/api/summaries/2')).toMatchObject({
      embedder: null,
      dimension: null,
      edges: [edge],
    });
    expect(await get(one, '/api/summaries/3', 404)).toMatchObject({ error: { code: 'not_found' } });
  });

  test('that is too long is shown by its head', async () => {
    const one = await open(1);
    one.store.connection.run(
      'UPDATE events SET payload_json = ?',
      JSON.stringify({ output: 'é'.repeat(300_000) }),
    );
    const { payload, payloadCut } = await get(one, '/api/summaries/1');
    expect([payloadCut, payload.length, payload.slice(0, 12)]).toEqual([true, 256 * 1024, '{"output":"é']);
  });

  test('whose payload somebody has torn is shown as the text that it is', async () => {
    const one = await open(1);
    one.store.connection.run('UPDATE events SET payload_json = ?', '{"tool":"Re');
    expect((await get(one, '/api/summaries/1')).payload).toBe('{"tool":"Re');
  });

  test('has a neighbourhood of bounded size', async () => {
    const one = await open(200);
    const ts = '2026-01-01T00:00:00.000Z';
    one.store.edges.add(
      Array.from({ length: 199 }, (_, at) => ({
        from: at + 2,
        to: 1,
        kind: 'supersedes' as const,
        evidence: '',
        ts,
      })),
    );
    one.store.edges.add([{ from: 200, to: 199, kind: 'contradicts', evidence: 'because', ts }]);
    const small = await get(one, '/api/graph?id=199&depth=1');
    expect(small.nodes.map(({ id }) => id).sort((a, b) => a - b)).toEqual([1, 199, 200]);
    expect(small.cut).toBe(false);
    expect(small.edges).toContainEqual({ from: 200, to: 199, kind: 'contradicts', evidence: 'because', ts });
    expect(small.nodes).toContainEqual({
      id: 1,
      eventId: 'ev_0',
      toolUseId: 'call_0',
      text: 'did 0',
      model: 'm',
      ts,
      tool: 'Read',
      sessionId: 's0',
      pinned: false,
      kind: 'call',
      superseded: true,
    });
    const large = await get(one, '/api/graph?id=1&depth=3');
    const known = new Set(large.nodes.map(({ id }) => id));
    expect([large.nodes.length, large.nodes[0]?.id, large.cut]).toEqual([150, 1, true]);
    expect(large.edges.every((edge) => known.has(edge.from) && known.has(edge.to))).toBe(true);
    await get(one, '/api/graph?id=999', 404);
  });
});
