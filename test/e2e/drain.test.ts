import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type ModelServer, type ModelServerSettings, startModelServer } from '../model-server.ts';
import { closeHomes, Home, leftBehind, nobodyPort } from '../support/home.ts';

const servers: ModelServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  await closeHomes();
});
afterAll(() => expect(leftBehind()).toEqual([]));

async function modelServer(settings: ModelServerSettings = {}): Promise<ModelServer> {
  const server = await startModelServer(settings);
  servers.push(server);
  return server;
}

const builtin = { MEMD_DRAIN_BACKEND: 'builtin' };
const key = 'test-key-that-nobody-may-see-0123456789';

const statuses = (home: Home) =>
  home.rows('SELECT status FROM events ORDER BY seq').map(({ status }) => status);
const attempts = (home: Home) =>
  home.rows('SELECT attempts FROM events ORDER BY seq').map((row) => row.attempts);
const models = (home: Home) =>
  home.rows('SELECT DISTINCT model FROM summaries ORDER BY model').map(({ model }) => model);

describe('memd drain', () => {
  test('summarises and embeds every raw event and prints how many', async () => {
    const home = await Home.withRaw(5);
    const ran = await home.memd(['drain'], { env: builtin });
    expect(ran).toMatchObject({ code: 0, stdout: '{"processed":5}\n', stderr: '' });
    expect((await home.info()).counts).toEqual({
      events: 5,
      raw: 0,
      summarized: 5,
      skipped: 0,
      messages: 0,
      summaries: 5,
      embeddings: 5,
    });
  });

  test('N is the most events it takes, the oldest first; 0 takes none', async () => {
    const home = await Home.withRaw(3);
    expect((await home.memd(['drain', '0'], { env: builtin })).stdout).toBe('{"processed":0}\n');
    expect((await home.memd(['drain', '2'], { env: builtin })).stdout).toBe('{"processed":2}\n');
    expect(statuses(home)).toEqual(['summarized', 'summarized', 'raw']);
  });

  test('two drains next to a daemon that works on the same events: none meets a lock, and each event is taken once', async () => {
    const home = Home.open({ env: { MEMD_DRAIN_BACKEND: 'builtin' } });
    await home.start();
    const calls = Array.from({ length: 120 }, (_, at) => at);
    await Promise.all(
      calls.map((at) =>
        home.capture({
          tool: 'Bash',
          input: { command: `make part-${at}` },
          output: 'ok',
          sessionId: `s-${at % 7}`,
        }),
      ),
    );
    const ran = await Promise.all([home.memd(['drain']), home.memd(['drain'])]);
    for (const one of ran) expect(one).toMatchObject({ code: 0, stderr: '' });
    expect((await home.info()).counts).toMatchObject({
      events: 120,
      raw: 0,
      summarized: 120,
      summaries: 120,
    });
  });

  test.each(['many', '-1', '1.5', '1e3', ''])(
    'an N of %j is not understood: exit 2, and nothing is drained',
    async (n) => {
      const home = await Home.withRaw(1);
      const ran = await home.memd(['drain', n], { env: builtin });
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).not.toBe('');
      expect(statuses(home)).toEqual(['raw']);
    },
  );

  test('an unknown backend is refused with the names of those there are, and nothing is drained', async () => {
    const home = await Home.withRaw(1);
    const ran = await home.memd(['drain'], { env: { MEMD_DRAIN_BACKEND: 'cloud' } });
    expect(ran.code).not.toBe(0);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toContain('"auto", "local", "hosted", "builtin"');
    expect(statuses(home)).toEqual(['raw']);
  });

  test('with nothing reachable: `no drain backend available` and a hint, as firstError and on stderr, exit 1', async () => {
    const home = await Home.withRaw(1);
    const ran = await home.memd(['drain']);
    expect(ran.code).toBe(1);
    const result = JSON.parse(ran.stdout);
    expect(result).toEqual({
      processed: 0,
      firstError: expect.stringMatching(/^no drain backend available/),
    });
    expect(result.firstError).toContain(`http://127.0.0.1:${nobodyPort}`);
    expect(result.firstError).toContain('HOSTEDLLM_API_KEY');
    expect(result.firstError).toContain('memd init');
    expect(ran.stderr).toBe(`memd: ${result.firstError}\n`);
    expect([statuses(home), attempts(home)]).toEqual([['raw'], [0]]);
  });

  test.each([`127.0.0.1:${nobodyPort}`, `http://localhost:${nobodyPort}`])(
    'with `local` chosen and nobody listening at %s: the connection error to the letter, with the IPv4 address',
    async (LOCALLLM_HOST) => {
      const home = await Home.withRaw(1);
      const ran = await home.memd(['drain'], { env: { MEMD_DRAIN_BACKEND: 'local', LOCALLLM_HOST } });
      const firstError = `fetch failed: connect ECONNREFUSED 127.0.0.1:${nobodyPort}`;
      expect(ran.code).toBe(1);
      expect(ran.stderr.split('\n')).toEqual([
        `memd: ${firstError}`,
        expect.stringContaining('ollama serve'),
        '',
      ]);
      expect(JSON.parse(ran.stdout)).toEqual({ processed: 0, firstError });
    },
  );

  test('with a key that the hosted API refuses: `hostedllm API error: 401`, the key shown nowhere, no attempt counted', async () => {
    const server = await modelServer({ apiKey: 'another-key' });
    const home = await Home.withRaw(2, { config: { hostedllm: { endpoint: server.url } } });
    const ran = await home.memd(['drain'], { env: { HOSTEDLLM_API_KEY: key } });
    expect(ran.code).toBe(1);
    expect(ran.stderr.split('\n')).toEqual([
      'memd: hostedllm API error: 401',
      expect.stringContaining('HOSTEDLLM_API_KEY'),
      '',
    ]);
    expect(JSON.parse(ran.stdout)).toEqual({ processed: 0, firstError: 'hostedllm API error: 401' });
    expect(server.requestsTo('messages')[0]?.headers).toMatchObject({
      'x-api-key': key,
      'anthropic-version': expect.any(String),
      'content-type': 'application/json',
    });
    expect(ran.stdout + ran.stderr).not.toContain(key);
    expect([statuses(home), attempts(home)]).toEqual([
      ['raw', 'raw'],
      [0, 0],
    ]);
  });

  test('with a key that fits, the hosted API is used and its tokens are counted in info', async () => {
    const server = await modelServer({ apiKey: key });
    const home = await Home.withRaw(3, { config: { hostedllm: { endpoint: server.url } } });
    expect((await home.memd(['drain'], { env: { HOSTEDLLM_API_KEY: key } })).stdout).toBe(
      '{"processed":3}\n',
    );
    expect(models(home)).toEqual(['claude-haiku-4-5']);
    expect((await home.info()).usage).toMatchObject([
      { backend: 'hosted', calls: 1, inputTokens: 100, outputTokens: 20, costUsd: 0.0002 },
    ]);
    await home.start({ env: { HOSTEDLLM_API_KEY: key } });
    expect((await home.info()).budget).toEqual({ dailyTokens: 200_000, remainingTokens: 199_880 });
    const { stdout } = await home.memd(['info']);
    expect(stdout).toContain('claude-haiku-4-5 today: 1 call, 100 tokens in, 20 out, $0.0002');
    expect(stdout).toContain('199,880 of 200,000 tokens left');
  });

  test.each(['local', 'hosted'])(
    'a call that the %s model refuses keeps no other back, and is skipped after three drains',
    async (kind) => {
      const server = await modelServer({ apiKey: key, refuses: (text) => text.includes('part-5') });
      const hosted = { LOCALLLM_HOST: `127.0.0.1:${nobodyPort}`, HOSTEDLLM_API_KEY: key };
      const env = kind === 'local' ? { LOCALLLM_HOST: server.url } : hosted;
      const home = await Home.withRaw(12, { config: { hostedllm: { endpoint: server.url } } });
      for (const processed of [11, 0, 0]) {
        const { code, stdout } = await home.memd(['drain'], { env });
        expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 1, processed });
      }
      expect((await home.info()).counts).toMatchObject({ raw: 0, summarized: 11, skipped: 1 });
      expect(await home.memd(['drain'], { env })).toMatchObject({ code: 0, stdout: '{"processed":0}\n' });
    },
  );

  test('another embedding model under the same name remakes every vector, and the vector leg works again', async () => {
    const small = await modelServer({ dimension: 64 });
    const home = await Home.withRaw(3);
    await home.memd(['drain'], { env: { LOCALLLM_HOST: small.url } });
    await small.close();
    const large = await modelServer({ dimension: 96 });
    const env = { LOCALLLM_HOST: large.url };
    await home.start({ env });
    await home.ask({ op: 'drain' });
    expect(home.rows('SELECT DISTINCT embedder, dim FROM summary_embeddings')).toEqual([
      { embedder: 'ollama:nomic-embed-text', dim: 96 },
    ]);
    const { why } = await home.ask({ op: 'why', query: 'part-1', id: 2 });
    expect(why).toMatchObject({ vector: { rank: expect.any(Number) } });
  });

  test('with both models there the local one is used, and the paid one is not asked', async () => {
    const server = await modelServer();
    const paid = await modelServer();
    const home = await Home.withRaw(3, { config: { hostedllm: { endpoint: paid.url } } });
    const env = { LOCALLLM_HOST: server.url, HOSTEDLLM_API_KEY: key };
    expect((await home.memd(['drain'], { env })).stdout).toBe('{"processed":3}\n');
    expect(models(home)).toEqual(['llama3.2:3b']);
    expect(paid.requests).toEqual([]);
  });

  test('an outage of the local model counts against no row, goes to no paid API, and ends when it ends', async () => {
    const server = await modelServer();
    const paid = await modelServer();
    const home = await Home.withRaw(3, { config: { hostedllm: { endpoint: paid.url } } });
    const env = { LOCALLLM_HOST: server.url, HOSTEDLLM_API_KEY: key };
    server.fail('chat', { kind: 'status', status: 503, retryAfter: '3600' });
    for (let time = 0; time < 4; time += 1) {
      const ran = await home.memd(['drain'], { env });
      expect(ran.code).toBe(1);
      expect(JSON.parse(ran.stdout)).toEqual({ processed: 0, firstError: expect.stringContaining('503') });
    }
    expect(attempts(home)).toEqual([0, 0, 0]);
    expect(paid.requests).toEqual([]);
    server.fail('chat', null);
    expect((await home.memd(['drain'], { env })).stdout).toBe('{"processed":3}\n');
  });

  test.each([
    ['a page of HTML', { kind: 'garbage' }],
    ['half an answer', { kind: 'truncated' }],
  ] as const)('a reply that is %s is an outage: no row is blamed', async (_what, fault) => {
    const server = await modelServer();
    const home = await Home.withRaw(2);
    server.fail('chat', fault);
    const ran = await home.memd(['drain'], { env: { LOCALLLM_HOST: server.url } });
    expect(ran.code).toBe(1);
    expect([statuses(home), attempts(home)]).toEqual([
      ['raw', 'raw'],
      [0, 0],
    ]);
  });

  test('one event that the model makes nothing of is skipped after three drains, its batch mates are summarised', async () => {
    const server = await modelServer({
      answers: (events) =>
        events.some((event) => JSON.stringify(event).includes('part-1.ts'))
          ? [{ nonsense: true }]
          : events.map(({ id }) => ({ id, text: `summary of ${id}`, terms: '' })),
    });
    const home = await Home.withRaw(4);
    for (const left of [3, 0, 0]) {
      const ran = await home.memd(['drain'], { env: { LOCALLLM_HOST: server.url } });
      expect(JSON.parse(ran.stdout)).toMatchObject({ processed: left, firstError: expect.any(String) });
    }
    expect(statuses(home)).toEqual(['summarized', 'skipped', 'summarized', 'summarized']);
  });
});

describe('a local runtime without the model', () => {
  const pull = 'ollama API error: 404 model "llama3.2:3b" not found. Run `ollama pull llama3.2:3b`.';

  test('the fallback takes over, and stderr says what to pull', async () => {
    const server = await modelServer({ models: [] });
    const home = await Home.withRaw(2, { config: { drain: { fallback: 'builtin' } } });
    const ran = await home.memd(['drain'], { env: { LOCALLLM_HOST: server.url } });
    expect(ran).toMatchObject({ code: 0, stdout: '{"processed":2}\n', stderr: `memd: ${pull}\n` });
    expect(models(home)).toEqual(['builtin']);
  });

  test('without a fallback or a key nothing is summarised, and no row is blamed', async () => {
    const server = await modelServer({ models: [] });
    const home = await Home.withRaw(2);
    const ran = await home.memd(['drain'], { env: { LOCALLLM_HOST: server.url } });
    expect(ran).toMatchObject({ code: 1, stderr: `memd: ${pull}\n` });
    expect(JSON.parse(ran.stdout)).toEqual({ processed: 0, firstError: pull });
    expect([statuses(home), attempts(home)]).toEqual([
      ['raw', 'raw'],
      [0, 0],
    ]);
  });
});

describe('memd drain --refine', () => {
  const texts = (home: Home) =>
    home
      .rows('SELECT id, model, pinned FROM summaries ORDER BY id')
      .map(({ id, model, pinned }) => [id, model, pinned]);

  test('has a better model rewrite what builtin wrote, newest first, at most N, in place', async () => {
    const server = await modelServer();
    const home = await Home.withRaw(3);
    await home.memd(['drain'], { env: builtin });
    home.operate('UPDATE summaries SET pinned = 1 WHERE id = 3');
    const env = { LOCALLLM_HOST: server.url };
    const first = await home.memd(['drain', '--refine', '1'], { env });
    expect(first).toMatchObject({ code: 0, stdout: '{"processed":1}\n', stderr: '' });
    expect(texts(home)).toEqual([
      [1, 'builtin', 0],
      [2, 'builtin', 0],
      [3, 'llama3.2:3b', 1],
    ]);
    expect((await home.memd(['drain', '--refine'], { env })).stdout).toBe('{"processed":2}\n');
    expect((await home.memd(['drain', '--refine'], { env })).stdout).toBe('{"processed":0}\n');
    expect(models(home)).toEqual(['llama3.2:3b']);
    expect((await home.info()).counts).toMatchObject({ summaries: 3, embeddings: 3, summarized: 3 });
  });

  test.each([
    ['nobody better is there', { drain: { fallback: 'builtin' } }, {}, 'start the local model runtime'],
    ['drain.backend is builtin', {}, builtin, 'drain.backend is builtin'],
  ])('when %s it says so, exit 1, and nothing is changed', async (_what, config, env, why) => {
    const home = await Home.withRaw(1, { config });
    await home.memd(['drain'], { env: builtin });
    const ran = await home.memd(['drain', '--refine'], { env });
    expect(ran.code).toBe(1);
    const { processed, firstError } = JSON.parse(ran.stdout);
    expect(processed).toBe(0);
    expect(firstError).toMatch(/^no better drain backend than builtin available: /);
    expect(firstError).toContain(why);
    expect(models(home)).toEqual(['builtin']);
  });

  test('two at once ask for each row once, without a lock error', async () => {
    const server = await modelServer();
    const home = await Home.withRaw(24);
    await home.memd(['drain'], { env: builtin });
    const env = { LOCALLLM_HOST: server.url, MEMD_CURATE_MODEL: 'off' };
    const ran = await Promise.all([1, 2].map(() => home.memd(['drain', '--refine'], { env })));
    expect(ran.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    const asked = server
      .requestsTo('chat')
      .flatMap(({ body }) => [...JSON.stringify(body).matchAll(/src\/part-\d+\.ts/g)].map(([path]) => path));
    expect(asked).toHaveLength(24);
    expect(new Set(asked).size).toBe(24);
    expect(models(home)).toEqual(['llama3.2:3b']);
  });
});
