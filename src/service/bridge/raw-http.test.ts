import { describe, expect, test } from 'vitest';
import { bridgeConnectionsMax } from '#core/limits';
import { exchange, get, requestText, testBridges } from '../../../test/support/bridge/bridge.ts';
import { bridgePipelinedMax } from './connections.ts';

const open = testBridges();

describe('what is hardly HTTP', () => {
  test('HTTP/1.0 without a Host is refused, with one it is answered', async () => {
    const { bridge, token } = await open();
    const raw = (bytes: string) => exchange(bridge.port, bytes);
    const authorization = `Authorization: Bearer ${token}`;
    expect((await raw(`GET /api/status HTTP/1.0\r\n${authorization}\r\n\r\n`))?.status).toBe(403);
    const host = `Host: 127.0.0.1:${bridge.port}`;
    expect((await raw(`GET /api/status HTTP/1.0\r\n${host}\r\n${authorization}\r\n\r\n`))?.status).toBe(200);
  });

  test.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['a TLS greeting', '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n', 400],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: a\u0000b\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['headers that are too long', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a target that is too long', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
  ])('%s is refused in form', async (_name, bytes, status) => {
    const reply = await exchange((await open(1)).bridge.port, bytes);
    expect(reply?.status).toBe(status);
    expect(reply?.headers['x-content-type-options']).toBe('nosniff');
    expect(JSON.parse(reply?.body ?? '')).toMatchObject({ error: { code: expect.any(String) } });
  });

  test('a wish for another protocol is not granted', async () => {
    const { port } = (await open(1)).bridge;
    const lines = [
      `Host: 127.0.0.1:${port}`,
      'Upgrade: websocket',
      'Sec-WebSocket-Key: AAAA',
      'Sec-WebSocket-Version: 13',
    ];
    const reply = await exchange(
      port,
      `GET /api/stream HTTP/1.1\r\n${lines.join('\r\n')}\r\nConnection: close, Upgrade\r\n\r\n`,
    );
    expect(reply?.status).toBe(401);
  });

  test('an asterisk is a target without a path', async () => {
    const one = await open();
    const headers = [`Host: 127.0.0.1:${one.bridge.port}`, `Authorization: Bearer ${one.token}`];
    const reply = await exchange(one.bridge.port, requestText({ method: 'OPTIONS', target: '*', headers }));
    expect(reply?.status).toBe(405);
  });

  test('a tunnel that was refused does not stay open', async () => {
    const one = await open();
    for (let at = 0; at < bridgeConnectionsMax + 1; at += 1) {
      const bytes = `CONNECT 127.0.0.1:${at} HTTP/1.1\r\nHost: 127.0.0.1:${one.bridge.port}\r\n\r\n`;
      expect((await exchange(one.bridge.port, bytes))?.status).toBe(401);
    }
  });

  test.each([
    ['the page', 'GET / HTTP/1.1\r\nHost: HOST\r\n\r\n'],
    ['a body that nobody reads', 'POST /api/search HTTP/1.1\r\nHost: HOST\r\nContent-Length: 2\r\n\r\n{}'],
    ['another tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: HOST\r\n\r\n'],
    ['a stranger', 'GET / HTTP/1.1\r\n\r\n'],
  ])('a tunnel asked for at once behind %s harms nobody else', async (_name, first) => {
    const one = await open(1);
    const host = `127.0.0.1:${one.bridge.port}`;
    const tunnel = 'CONNECT b:2 HTTP/1.1\r\nHost: HOST\r\n\r\n';
    await exchange(one.bridge.port, `${first}${tunnel}`.replaceAll('HOST', host));
    expect((await get(one, '/api/status')).counts.events).toBe(1);
  });

  test('who asks on and on without waiting for answers is let go', async () => {
    const one = await open(1);
    const request = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${one.bridge.port}\r\n\r\n`;
    const few =
      request.repeat(bridgePipelinedMax - 1) + request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    const answers = await exchange(one.bridge.port, few);
    expect(answers?.body.match(/HTTP\/1\.1 401 /g)).toHaveLength(bridgePipelinedMax - 1);
    // Ended by the bridge: the exchange settles only then.
    const many = await exchange(one.bridge.port, request.repeat(1_000)).catch(() => null);
    expect(many?.body.length ?? 0).toBeLessThan(100_000);
    expect((await get(one, '/api/status')).counts.events).toBe(1);
  });
});
