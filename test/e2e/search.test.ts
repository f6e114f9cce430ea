import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { type HitReply, read, type WhyReply } from '../../src/surfaces/cli/replies.ts';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { closeServers, connect } from '../support/mcp-server.ts';

let home: Home;

const calls = [
  ['Bash', 's1', { command: 'npm run migrate' }, 'Error: column "tenant_id" does not exist\nexit code 1'],
  ['Edit', 's1', { file_path: 'db/migrations/007_tenant.sql', old_string: 'a', new_string: 'b' }, 'edited'],
  ['Bash', 's1', { command: 'npm run migrate' }, 'applied 007_tenant.sql'],
  ['Read', 's1', { file_path: 'src/auth/login.ts' }, 'export function login() { return session(); }'],
  ['Bash', 's2', { command: 'curl -v http://localhost:6379' }, 'connect ECONNREFUSED 127.0.0.1:6379'],
  ['Grep', 's2', { pattern: 'redis' }, 'src/cache/redis.ts:12: const client = createClient()'],
  ['Edit', 's2', { file_path: 'src/cache/redis.ts', old_string: 'redis', new_string: 'lru' }, 'edited'],
  [
    'Write',
    's2',
    { file_path: 'docs/cache.md', content: 'We dropped redis, an in-process LRU is enough.' },
    'ok',
  ],
  ['Bash', 's3', { command: 'pytest -k 决定' }, '测试失败：数据库连接超时'],
  ['Read', 's3', { file_path: 'README.md' }, 'The emoji 🧠 stands for memory; größer, naïve.'],
] as const;

beforeAll(async () => {
  home = Home.open({ env: { MEMD_DRAIN_BACKEND: 'builtin' }, config: { topK: 6 } });
  await home.start();
  for (const [at, [tool, sessionId, input, output]] of calls.entries()) {
    const ts = new Date(Date.UTC(2026, 0, 10, 12, at)).toISOString();
    await home.capture({ tool, sessionId, input, output, ts, toolUseId: `call-${at}` });
  }
  expect(await home.memd(['drain'])).toMatchObject({ code: 0, stdout: `{"processed":${calls.length}}\n` });
});
afterAll(async () => {
  await closeServers();
  await closeHomes();
  expect(leftBehind()).toEqual([]);
});

const search = async (query: string, more: JsonObject = {}): Promise<HitReply[]> =>
  read('search', await home.ask({ op: 'search', query, ...more })).hits;
const why = async (query: string, id: number, more: JsonObject = {}): Promise<WhyReply> =>
  read('why', await home.ask({ op: 'why', query, id, ...more })).why;

/** The score that the parts of an explanation make. */
function scoreOf({ bm25, vector, legs = {}, decay, factors = {} }: WhyReply): number {
  const sum = [bm25, vector, ...Object.values(legs)].reduce((total, leg) => total + leg.contribution, 0);
  return Object.values(factors).reduce((product, factor) => product * factor, sum * decay.factor);
}

const idOf = (toolUseId: string): number =>
  Number(
    home.rows(`SELECT s.id FROM summaries s JOIN events e ON e.id = s.event_id
    WHERE e.tool_use_id = '${toolUseId}'`)[0]?.id,
  );

describe('hits and their explanation', () => {
  test.each([
    'redis',
    'why did we drop redis',
    'tenant migration',
    'src/auth/login.ts',
    'ECONNREFUSED',
    '数据库',
  ])('for %j the parts of each explanation make its score, to 1e-9, and its rank', async (query) => {
    const asOf = '2026-02-20T00:00:00Z';
    const hits = await search(query, { asOf });
    expect(hits.length).toBeGreaterThan(0);
    expect(hits.map(({ rank }) => rank)).toEqual(hits.map((_, at) => at + 1));
    for (const hit of hits) {
      const explained = await why(query, hit.id, { asOf });
      expect(explained.rrf).toEqual({ score: hit.score, rank: hit.rank });
      expect(Math.abs(scoreOf(explained) - hit.score)).toBeLessThan(1e-9);
      expect(explained.explanation).not.toBe('');
    }
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  test('a hit has exactly the fields of the contract', async () => {
    // On a busy machine a state may be checked late.
    const hit = async () =>
      ((await home.ask({ op: 'search', query: 'ECONNREFUSED' })).hits as JsonObject[])[0];
    await expect.poll(hit).toEqual({
      id: idOf('call-4'),
      rank: 1,
      score: expect.any(Number),
      text: expect.stringContaining('ECONNREFUSED'),
      model: 'builtin',
      ts: '2026-01-10T12:04:00.000Z',
      tool: 'Bash',
      sessionId: 's2',
      eventId: expect.stringMatching(/^ev_[0-9a-f]{24}$/),
      toolUseId: 'call-4',
      pinned: false,
      kind: 'call',
      state: { verdict: 'current', detail: expect.any(String) },
    });
  });

  test('`mem search --why` shows with each hit the numbers that ranked it, from the same request', async () => {
    const asked = await home.mem(['search', 'redis', '--why', '--json']);
    const { hits } = read('search', JSON.parse(asked.stdout));
    expect(hits.length).toBeGreaterThan(1);
    // The clock goes on between two requests, and the decay with it.
    for (const { rank, score, why } of hits) expect(why?.rrf).toEqual({ rank, score });
    const plain = await home.mem(['search', 'redis', '--why']);
    expect(plain.stdout.match(/^ {4}why: /gm)).toHaveLength(hits.length);
    expect((await home.mem(['search', 'redis', '--json'])).stdout).not.toContain('"why"');
  });

  test('a memory that the query does not find is explained too, without a rank', async () => {
    const explained = await why('ECONNREFUSED 6379', idOf('call-3'));
    expect(explained.bm25).toMatchObject({ rank: null, contribution: 0 });
    expect(Math.abs(scoreOf(explained) - explained.rrf.score)).toBeLessThan(1e-9);
  });

  test('a path, an error code and Chinese text are found, whole and in parts', async () => {
    const first = async (query: string) => (await search(query))[0]?.toolUseId;
    expect(await first('src/auth/login.ts')).toBe('call-3');
    expect(await first('login')).toBe('call-3');
    expect(await first('ECONNREFUSED')).toBe('call-4');
    expect(await first('数据库连接')).toBe('call-8');
    expect(await first('007_tenant.sql')).toMatch(/call-[12]/);
  });
});

describe('what moves a hit', () => {
  test('a pinned memory does not fade, however far in the future asOf is; unpinned it does', async () => {
    const id = idOf('call-3');
    const asOf = '2046-01-01T00:00:00Z';
    expect((await why('login', id, { asOf })).decay).toMatchObject({
      pinned: false,
      factor: expect.closeTo(0.8, 3),
    });
    expect(await home.ask({ op: 'pin', id })).toEqual({ ok: true });
    expect((await why('login', id, { asOf })).decay).toMatchObject({ pinned: true, factor: 1 });
    expect((await search('login', { asOf })).find((hit) => hit.id === id)?.pinned).toBe(true);
    expect(await home.ask({ op: 'unpin', id })).toEqual({ ok: true });
    expect((await why('login', id, { asOf })).decay).toMatchObject({ pinned: false });
  });

  test('an asOf before all memories counts every age as zero and hides nothing', async () => {
    const [hit] = await search('login', { asOf: '2001-01-01T00:00:00Z' });
    expect(hit?.toolUseId).toBe('call-3');
    expect((await why('login', hit?.id ?? 0, { asOf: '2001-01-01T00:00:00Z' })).decay).toMatchObject({
      ageDays: 0,
      factor: 1,
    });
  });

  test('a memory ranks below the one that supersedes it, and says by which it was', async () => {
    const [before] = await search('migrate');
    const older = before?.id ?? 0;
    const newer = older === idOf('call-2') ? idOf('call-0') : idOf('call-2');
    home.operate(`INSERT INTO edges (from_id, to_id, kind, evidence, ts)
      VALUES (${newer}, ${older}, 'supersedes', 'by a test', '2026-01-11T00:00:00.000Z')`);
    const ids = (await search('migrate')).map(({ id }) => id);
    expect(ids).toContain(newer);
    expect(ids.indexOf(newer)).toBeLessThan(ids.indexOf(older));
    const found = (await search('migrate')).find(({ id }) => id === older);
    expect(found?.supersededBy).toBe(newer);
    const explained = await why('migrate', older);
    expect(Math.abs(scoreOf(explained) - explained.rrf.score)).toBeLessThan(1e-9);
    const { edges } = (await home.ask({ op: 'graph', id: older })) as { edges: JsonObject[] };
    expect(edges).toEqual([
      { from: newer, to: older, kind: 'supersedes', evidence: 'by a test', ts: '2026-01-11T00:00:00.000Z' },
    ]);
    home.operate('DELETE FROM edges');
  });
});

describe('how much is answered', () => {
  test('only the session, and only the tool, that was asked for', async () => {
    const ofSession = await search('redis cache migrate', { session: 's2' });
    expect(new Set(ofSession.map(({ sessionId }) => sessionId))).toEqual(new Set(['s2']));
    const ofTool = await search('redis cache migrate', { tool: 'Edit' });
    expect(new Set(ofTool.map(({ tool }) => tool))).toEqual(new Set(['Edit']));
    expect((await home.ask({ op: 'search', query: 'redis', session: 'nobody' })).error).toMatchObject({
      code: 'bad_request',
    });
  });

  test('never more than the topK of the configuration, and fewer when fewer are asked for', async () => {
    const wide = 'bash edit read redis migrate file error src npm';
    expect((await search(wide)).length).toBe(6);
    expect((await search(wide, { topK: 200 })).length).toBe(6);
    expect((await search(wide, { topK: 1_000_000 })).length).toBe(6);
    expect((await search(wide, { topK: 2 })).length).toBe(2);
  });

  test.each([
    '',
    '   ',
    '?!',
    '"',
    '""" AND ""',
    'NEAR(a b, 2)',
    'text:redis OR -terms:x',
    'redis*',
    '^redis',
    '{redis} : (',
    "'; DROP TABLE summaries; --",
    'a AND',
    'NOT redis',
    '\u0000\u0001',
    '🧠',
    '决定 数据库 测试失败',
    '\ud800',
    'x'.repeat(10_240),
    'the of and a',
    `${'redis '.repeat(1_700)}`,
    Array.from({ length: 900 }, (_, at) => `word${at}`).join(' '),
  ])('query %# never errs', async (query) => {
    expect(await home.ask({ op: 'search', query })).toMatchObject({ ok: true, hits: expect.any(Array) });
    expect(await home.ask({ op: 'why', query, id: 1 })).toMatchObject({ ok: true });
  });

  test('a query without a word finds nothing, and that is no failure', async () => {
    for (const query of ['', ' \n ', '?!']) expect(await search(query)).toEqual([]);
  });
});

describe('the commands', () => {
  test('mem search --json gives the hits of the socket, and finding nothing is no failure', async () => {
    const ran = await home.mem(['search', 'ECONNREFUSED', '--json', '-k', '1']);
    expect(ran.code).toBe(0);
    expect(read('search', JSON.parse(ran.stdout)).hits.map(({ toolUseId }) => toolUseId)).toEqual(['call-4']);
    expect(await home.mem(['search', 'zzzqqqxxx'])).toMatchObject({ code: 0, stdout: '' });
  });

  test('mem recent lists the newest first; mem show and mem timeline show one with its neighbours', async () => {
    const recent = JSON.parse((await home.mem(['recent', '--json', '-n', '3'])).stdout);
    expect(read('recent', recent).summaries.map(({ toolUseId }) => toolUseId)).toEqual([
      'call-9',
      'call-8',
      'call-7',
    ]);
    const id = String(idOf('call-5'));
    const shown = JSON.parse((await home.mem(['show', id, '--json'])).stdout);
    expect(shown).toMatchObject({
      toolUseId: 'call-5',
      payload: { tool: 'Grep' },
      dimension: expect.any(Number),
    });
    const timeline = read('timeline', JSON.parse((await home.mem(['timeline', id, '--json'])).stdout));
    expect(timeline.before.map(({ toolUseId }) => toolUseId)).toEqual(['call-4']);
    expect(timeline.after.map(({ toolUseId }) => toolUseId)).toEqual(['call-6', 'call-7']);
  });

  test('what is forgotten is gone from search, from the tables and from the index', async () => {
    const id = idOf('call-9');
    expect(await home.mem(['forget', String(id)])).toMatchObject({ code: 0 });
    expect((await search('emoji memory README')).map((hit) => hit.id)).not.toContain(id);
    for (const table of ['summaries', 'summary_embeddings', 'summaries_fts']) {
      const key = table === 'summary_embeddings' ? 'summary_id' : table === 'summaries' ? 'id' : 'rowid';
      expect(home.rows(`SELECT 1 FROM ${table} WHERE ${key} = ${id}`)).toEqual([]);
    }
    expect(home.rows("SELECT 1 FROM events WHERE tool_use_id = 'call-9'")).toEqual([]);
  });

  test('a question for a command has it, as it last passed, before the hits', async () => {
    const call = { tool: 'Bash', sessionId: 's4', input: { command: 'npm test' }, output: '12 passed' };
    await home.capture({ ...call, ts: '2026-01-11T12:00:00.000Z', toolUseId: 'call-10' });
    expect(await home.memd(['drain'])).toMatchObject({ code: 0 });
    const query = 'How do I run the tests here?';
    const { stdout } = await home.mem(['search', query, '--oneline']);
    expect(stdout.split('\n\n')[0]).toBe(`Last passed: npm test · 2026-01-11 · #${idOf('call-10')}`);
    const { client } = connect(home);
    await client.initialize();
    expect((await client.call('mem_search', { query })).text).toContain('\nlast passed: "npm test"\n#');
    expect((await home.mem(['search', 'npm test', '--oneline'])).stdout).not.toContain('Last passed');
  });
});
