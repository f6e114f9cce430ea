import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  buildReader,
  exchange,
  newBridge,
  requestText,
  type TestBridge,
} from '../../../test/support/bridge/bridge.ts';

/**
 * The guard as a table: methods, hosts, origins, tokens and paths, against a bridge that listens. Each value
 * shows by itself whether it is right; the order of the checks shows which of them decides.
 */

let built: Awaited<ReturnType<typeof buildReader>>;
let open: TestBridge;

beforeAll(async () => {
  built = await buildReader();
  open = await newBridge(built.script);
});
afterAll(async () => {
  expect(open.errors).toEqual([]);
  await open.close();
  built.remove();
});

interface Value {
  readonly name: string;
  readonly isRight: boolean;
  readonly headers: (port: number, token: string) => readonly string[];
}

const host = (name: string, isRight: boolean, ...values: ((port: number) => string)[]): Value => ({
  name: `host ${name}`,
  isRight,
  headers: (port) => values.map((value) => `Host: ${value(port)}`),
});
const hosts = [
  host('127.0.0.1', true, (port) => `127.0.0.1:${port}`),
  host('localhost', true, (port) => `localhost:${port}`),
  host('LOCALHOST', true, (port) => `LOCALHOST:${port}`),
  host('[::1]', true, (port) => `[::1]:${port}`),
  host('of another port', false, (port) => `127.0.0.1:${port + 1}`),
  host('without a port', false, () => '127.0.0.1'),
  host('of another site', false, (port) => `evil.example:${port}`),
  host('that begins as ours', false, (port) => `127.0.0.1.evil.example:${port}`),
  host('with a user', false, (port) => `a@127.0.0.1:${port}`),
  host('with a closing dot', false, (port) => `localhost.:${port}`),
  host('0.0.0.0', false, (port) => `0.0.0.0:${port}`),
  host('that is empty', false, () => ''),
  host('missing', false),
  host(
    'twice, ours first',
    false,
    (port) => `127.0.0.1:${port}`,
    () => 'evil.example',
  ),
  host(
    'twice, the same',
    false,
    (port) => `127.0.0.1:${port}`,
    (port) => `127.0.0.1:${port}`,
  ),
];

const origin = (name: string, isRight: boolean, ...values: ((port: number) => string)[]): Value => ({
  name: `origin ${name}`,
  isRight,
  headers: (port) => values.map((value) => `Origin: ${value(port)}`),
});
const origins = [
  origin('none', true),
  origin('our own', true, (port) => `http://127.0.0.1:${port}`),
  origin('our own by name', true, (port) => `http://localhost:${port}`),
  origin('of another site', false, () => 'https://evil.example'),
  origin('of another port', false, (port) => `http://127.0.0.1:${port + 1}`),
  origin('without a port', false, () => 'http://127.0.0.1'),
  origin('of another scheme', false, (port) => `https://127.0.0.1:${port}`),
  origin('null', false, () => 'null'),
  origin('empty', false, () => ''),
  origin(
    'twice',
    false,
    (port) => `http://127.0.0.1:${port}`,
    () => 'https://evil.example',
  ),
];

const fetched = (site: string, mode: string, isRight: boolean): Value => ({
  name: `fetched ${site}, ${mode}`,
  isRight,
  headers: () => [`Sec-Fetch-Site: ${site}`, `Sec-Fetch-Mode: ${mode}`],
});
const fetches = [
  fetched('none', 'navigate', true),
  fetched('cross-site', 'navigate', true),
  fetched('same-origin', 'cors', true),
  fetched('cross-site', 'no-cors', false),
  fetched('same-site', 'no-cors', false),
  fetched('same-site', 'cors', false),
];

const auth = (name: string, isRight: boolean, ...values: ((token: string) => string)[]): Value => ({
  name: `token ${name}`,
  isRight,
  headers: (_port, token) => values.map((value) => `Authorization: ${value(token)}`),
});
const tokens = [
  auth('right', true, (token) => `Bearer ${token}`),
  auth('right, scheme in lower case', true, (token) => `bearer ${token}`),
  auth('none', false),
  auth('of another value', false, () => `Bearer ${'0'.repeat(64)}`),
  auth('in capitals', false, (token) => `Bearer ${token.toUpperCase()}`),
  auth('cut short', false, (token) => `Bearer ${token.slice(0, -1)}`),
  auth('with more behind', false, (token) => `Bearer ${token}0`),
  auth(
    'twice',
    false,
    (token) => `Bearer ${token}`,
    (token) => `Bearer ${token}`,
  ),
  auth('of another scheme', false, (token) => `Basic ${token}`),
  auth('without a scheme', false, (token) => token),
  auth('empty', false, () => 'Bearer '),
];

const [ownHost, ...otherHosts] = hosts;
const [noOrigin] = origins;
const [rightToken] = tokens;
const noToken = tokens[2];
if (!ownHost || !noOrigin || !rightToken || !noToken) throw new Error('the table has rows');

const paths: readonly { target: string | ((port: number) => string); get: number; post: number }[] = [
  { target: '/', get: 200, post: 405 },
  { target: '/?x=1', get: 200, post: 405 },
  { target: '/assets/app.js', get: 200, post: 405 },
  { target: '/api/status', get: 200, post: 405 },
  { target: '/api/summaries', get: 200, post: 405 },
  { target: '/api/summaries/1', get: 200, post: 405 },
  { target: '/api/tools', get: 200, post: 405 },
  { target: '/api/sessions', get: 200, post: 405 },
  { target: '/api/graph?id=1', get: 200, post: 405 },
  { target: '/api/session?id=s0', get: 200, post: 405 },
  { target: '/api/change?id=s0&path=a', get: 200, post: 405 },
  { target: '/api/event?seq=1', get: 200, post: 405 },
  { target: '/api/standings?id=s0&id=s1', get: 200, post: 405 },
  { target: '/api/file?path=a', get: 200, post: 405 },
  { target: '/api/projects', get: 200, post: 405 },
  { target: '/api/search', get: 405, post: 200 },
  { target: '/api/why', get: 405, post: 404 },
  { target: (port) => `http://127.0.0.1:${port}/api/status`, get: 200, post: 405 },
  { target: (port) => `http://localhost:${port}`, get: 200, post: 405 },
  { target: () => 'http://evil.example/api/status', get: 403, post: 403 },
  { target: () => 'https://evil.example/', get: 403, post: 403 },
  ...[
    '/index.html',
    '/assets',
    '/assets/',
    '/assets/app.js/',
    '/assets/app.js.map',
    '/assets/../assets/app.js',
    '/assets/%2e%2e/%2e%2e/auth.token',
    '/../auth.token',
    '/..%2fauth.token',
    '/%2e%2e/auth.token',
    '/..\\auth.token',
    '/assets/..;/app.js',
    '/assets//app.js',
    '//assets/app.js',
    '//evil.example/',
    '/assets/app%2ejs',
    '/assets/app.js%00',
    '/etc/passwd',
    '/auth.token',
    '/db.sqlite',
    '/api',
    '/api/',
    '/api/status/',
    '/API/status',
    '/api/summaries/0',
    '/api/summaries/-1',
    '/api/summaries/1e3',
    '/api/summaries/99999999999999999999',
    '/api/summaries/1/../../status',
    '/api/summaries/999',
    '/api/forget',
    '/api/prune',
    '/__proto__',
    '/constructor',
  ].map((target) => ({ target, get: 404, post: target === '/api/summaries/999' ? 405 : 404 })),
];

async function ask(parts: { method?: string; target?: string; values: readonly Value[]; body?: string }) {
  const { bridge, token } = open;
  const { values, ...rest } = parts;
  const headers = values.flatMap((value) => value.headers(bridge.port, token));
  const reply = await exchange(bridge.port, requestText({ ...rest, headers }));
  if (reply === null) throw new Error('no answer');
  return reply;
}

describe('hosts x origins x tokens', () => {
  test.each(['/api/status', '/', '/api/nope'])(
    'the first check that fails decides, at %s',
    async (target) => {
      const right = { '/api/status': 200, '/': 200, '/api/nope': 404 }[target];
      for (const values of hosts.flatMap((a) => origins.flatMap((b) => tokens.map((c) => [a, b, c])))) {
        const [isHost, isOrigin, isToken] = values.map(({ isRight }) => isRight);
        const expected = !isHost || !isOrigin ? 403 : isToken ? right : 401;
        const reply = await ask({ target, values });
        expect([values.map(({ name }) => name), reply.status]).toEqual([
          values.map(({ name }) => name),
          expected,
        ]);
        if (reply.status !== 200) expect(reply.body).not.toContain(open.token);
      }
    },
    60_000,
  );
});

test.each(fetches)('$name', async ({ isRight, ...value }) => {
  const reply = await ask({ target: '/api/status', values: [ownHost, { isRight, ...value }, rightToken] });
  expect(reply.status).toBe(isRight ? 200 : 403);
});

describe('methods x paths', () => {
  const methods = [
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'DELETE',
    'PATCH',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'CONNECT',
  ];

  test.each(methods)('%s', async (method) => {
    for (const { target: of, get, post } of paths) {
      const target = typeof of === 'string' ? of : of(open.bridge.port);
      const body = method === 'POST' ? '{"query":"q","id":999}' : '';
      const known = { GET: get, HEAD: get, POST: post }[method] ?? 405;
      const foreign = get === 403;
      const withToken = await ask({ method, target, body, values: [ownHost, noOrigin, rightToken] });
      expect([method, target, withToken.status]).toEqual([method, target, foreign ? 403 : known]);
      const without = await ask({ method, target, body, values: [ownHost, noOrigin, noToken] });
      expect([method, target, without.status]).toEqual([method, target, foreign ? 403 : 401]);
      for (const reply of [withToken, without]) {
        expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
        expect(reply.headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'x-frame-options': 'DENY',
        });
        const policy = reply.headers['content-security-policy'];
        expect(policy).toContain("default-src 'none'");
        expect(policy).not.toMatch(/unsafe|https?:|\*/);
        if (method === 'HEAD') expect(reply.body).toBe('');
        else if (reply.status >= 400 && !reply.headers['content-type']?.startsWith('text/html'))
          expect(JSON.parse(reply.body)).toMatchObject({ error: { code: expect.any(String) } });
      }
    }
  });

  test.each(otherHosts.filter(({ isRight }) => !isRight))('CONNECT and POST with a $name', async (value) => {
    for (const method of ['CONNECT', 'POST', 'OPTIONS']) {
      const reply = await ask({ method, target: '/api/unlock', values: [value, noOrigin, rightToken] });
      expect(reply.status).toBe(403);
    }
  });
});
