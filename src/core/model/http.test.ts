import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closedPort, type ModelServer, startModelServer } from '../../../test/model-server.ts';
import { ask, type Question, type Silent } from './http.ts';

let server: ModelServer;
const never = new AbortController().signal;

beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

function question(more: Partial<Question> = {}): Question {
  return { base: server.url, path: '/api/chat', body: { model: 'llama3.2:3b' }, timeoutMs: 20_000, ...more };
}

async function silence(asked: Question, signal = never): Promise<Silent> {
  const reply = await ask(asked, signal);
  if (reply.kind !== 'silent') throw new Error(`an answer came: ${reply.status}`);
  return reply;
}

describe('nobody there', () => {
  test.each(['127.0.0.1', 'localhost'])(
    '%s: the refusal names the IPv4 address, to the letter',
    async (host) => {
      const port = await closedPort();
      expect(await silence(question({ base: `http://${host}:${port}` }))).toEqual({
        kind: 'silent',
        reach: 'absent',
        error: `fetch failed: connect ECONNREFUSED 127.0.0.1:${port}`,
      });
    },
  );

  test('a name that does not resolve', async () => {
    const reply = await silence(question({ base: 'http://no-such-host.invalid:11434' }));
    expect(reply.reach).toBe('absent');
    expect(reply.error).toMatch(/^fetch failed: getaddrinfo (ENOTFOUND|EAI_AGAIN) no-such-host\.invalid$/);
  });

  test.each(['', 'localhost:11434', 'file:///etc/passwd', 'http://'])(
    'an endpoint that is none: %j',
    async (base) => {
      const reply = await silence(question({ base }));
      expect(reply.reach).toBe('broken');
      expect(reply.error).toMatch(/^fetch failed: the endpoint is not an? /);
    },
  );
});

describe('a server that does not do its part', () => {
  test('hangs: the time is up', async () => {
    server.fail('chat', { kind: 'hang' });
    expect(await silence(question({ timeoutMs: 50 }))).toEqual({
      kind: 'silent',
      reach: 'timeout',
      error: 'fetch failed: timeout after 50 ms',
    });
  });

  test('sends a byte at a time: the time is for the whole reply', async () => {
    server.fail('chat', { kind: 'slow', pauseMs: 20 });
    expect((await silence(question({ timeoutMs: 150 }))).reach).toBe('timeout');
  });

  test('closes the connection', async () => {
    server.fail('chat', { kind: 'reset' });
    const reply = await silence(question());
    expect(reply.reach).toBe('broken');
    expect(reply.error).toMatch(/^fetch failed: \S/);
  });

  test('sends more than is read', async () => {
    server.fail('chat', { kind: 'oversized', bytes: 100_000 });
    expect(await silence(question({ bytesMax: 1_000 }))).toEqual({
      kind: 'silent',
      reach: 'broken',
      error: 'fetch failed: the reply is larger than 1000 bytes',
    });
  });

  test('redirects: the other address is never asked', async () => {
    const other = await startModelServer();
    server.fail('messages', { kind: 'redirect', to: `${other.url}/v1/messages` });
    const reply = await ask(question({ path: '/v1/messages', headers: { 'x-api-key': 'k' } }), never);
    expect(reply).toMatchObject({ kind: 'answered', status: 307 });
    expect(other.requests).toEqual([]);
    await other.close();
  });
});

test('a stop by the caller, before and while a reply is awaited', async () => {
  expect((await silence(question(), AbortSignal.abort())).reach).toBe('stopped');
  server.fail('chat', { kind: 'hang' });
  const stopping = new AbortController();
  const asked = silence(question(), stopping.signal);
  await server.arrived('chat');
  stopping.abort();
  expect((await asked).reach).toBe('stopped');
});

describe('what must not show', () => {
  test('a key that fetch refuses and would repeat', async () => {
    const secret = 'sk-ant-one\nline-too-many';
    const reply = await silence(question({ headers: { 'x-api-key': secret }, secret }));
    expect(reply.error).toMatch(/^fetch failed: /);
    expect(reply.error).not.toContain('line-too-many');
  });

  test('a name and password in the address go into a header', async () => {
    const base = server.url.replace('http://', 'http://ada:p%40ss@');
    expect(await ask(question({ base }), never)).toMatchObject({ status: 200 });
    const [request] = server.requestsTo('chat');
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from('ada:p@ss').toString('base64')}`);
  });
});

test('the path goes below that of the base address, whether or not it ends in a slash', async () => {
  for (const base of [server.url, `${server.url}/`, `${server.url}/proxy/`, `${server.url}/proxy?x=1#y`]) {
    await ask(question({ base, path: '/api/version' }), never);
  }
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/api/version',
    '/api/version',
    '/proxy/api/version',
    '/proxy/api/version',
  ]);
});

test('no connection outlives its question', async () => {
  const closed: Promise<void>[] = [];
  const plain = createServer((_, response) => response.end('{}'));
  plain.on('connection', (socket) =>
    closed.push(new Promise((resolve) => socket.once('close', () => resolve()))),
  );
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  const address = plain.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await ask(question({ base: `http://127.0.0.1:${port}` }), never);
  await Promise.all(closed);
  // One to see whether anybody is there, one for the question.
  expect(closed).toHaveLength(2);
  await new Promise((resolve) => plain.close(resolve));
});

test.each([
  ['2', 2_000],
  ['0', 0],
  ['1.5', 1_500],
  ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
  ['soon', null],
])('retry-after: %s', async (retryAfter, retryAfterMs) => {
  server.fail('chat', { kind: 'status', status: 429, retryAfter });
  expect(await ask(question(), never)).toMatchObject({ status: 429, retryAfterMs });
});
