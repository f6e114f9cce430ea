import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { bridgeBodyBytesMax, bridgeConnectionsMax } from '#core/limits';
import {
  authorized,
  bodyOf,
  exchange,
  get,
  requestText,
  type TestBridge,
  testBridges,
} from '../../../test/support/bridge/bridge.ts';

const open = testBridges();

describe('search and why', () => {
  const post = (one: TestBridge, target: string, body: string | Uint8Array) =>
    fetch(one.bridge.url + target, { method: 'POST', headers: authorized(one), body });

  test('are asked with a JSON object', async () => {
    const one = await open(1);
    expect(await (await post(one, '/api/search', '{"query":"é"}')).json()).toEqual({ hits: [], asked: 'é' });
    expect(await (await post(one, '/api/why', '{"query":"q","id":1}')).json()).toEqual({ id: 1 });
    expect((await post(one, '/api/why', '{"query":"q","id":2}')).status).toBe(404);
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no text as query', '{"query":1}'],
    ['no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
    ['nothing but depth', '['.repeat(900_000)],
  ])('%s is a bad request', async (_name, body) => {
    const response = await post(await open(1), '/api/search', body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'bad_request' } });
  });

  test('a body of a megabyte is read, one byte more is too large, declared or not', async () => {
    const one = await open(1);
    const fill = (bytes: number): string => {
      const frame = '{"query":"q","x":""}';
      return frame.replace('"x":"', `"x":"${'x'.repeat(bytes - frame.length)}`);
    };
    expect((await post(one, '/api/search', fill(bridgeBodyBytesMax))).status).toBe(200);
    const tooLarge = await post(one, '/api/search', fill(bridgeBodyBytesMax + 1));
    expect([tooLarge.status, (await bodyOf(tooLarge)).error.code]).toEqual([413, 'too_large']);
    const head = `POST /api/search HTTP/1.1\r\nHost: 127.0.0.1:${one.bridge.port}\r\nAuthorization: Bearer ${one.token}`;
    const chunk = 'x'.repeat(bridgeBodyBytesMax + 1);
    const chunked = `${head}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`;
    expect((await exchange(one.bridge.port, chunked))?.status).toBe(413);
  });
});

test('a foreign origin does not hide behind thousands of headers', async () => {
  const { bridge, token } = await open(1);
  const ours = [`Host: 127.0.0.1:${bridge.port}`, `Authorization: Bearer ${token}`];
  const headers = [...ours, ...Array<string>(3_000).fill('a:'), 'Origin: http://evil.example'];
  expect((await exchange(bridge.port, requestText({ target: '/api/status', headers })))?.status).toBe(403);
});

describe('slow and many clients', () => {
  const idle = (port: number, bytes = ''): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port }, () => {
        socket.write(bytes);
        resolve(socket);
      });
      socket.once('error', reject);
      socket.resume();
    });
  const ended = (socket: Socket): Promise<void> =>
    new Promise((resolve) => socket.once('close', () => resolve()));

  test.each([
    ['says nothing', ''],
    ['stops in its headers', 'GET / HTTP/1.1\r\nHost: a\r\nX-'],
    [
      'stops in its body',
      'POST /api/search HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\nContent-Length: 100\r\n\r\n{',
    ],
  ])('one that %s is ended in time', async (_name, bytes) => {
    const one = await open(1, { requestMs: 200 });
    const host = `127.0.0.1:${one.bridge.port}`;
    const socket = await idle(one.bridge.port, bytes.replace('HOST', host).replace('TOKEN', one.token));
    await ended(socket);
    expect((await get(one, '/api/status')).counts.events).toBe(1);
  });

  test('idle connections make room for the next', async () => {
    const one = await open(1);
    const sockets: Socket[] = [];
    for (let at = 0; at < bridgeConnectionsMax + 8; at += 1)
      sockets.push(await idle(one.bridge.port, 'GET / HT'));
    const [first] = sockets;
    if (first !== undefined && !first.destroyed) await ended(first);
    expect((await get(one, '/api/status')).counts.events).toBe(1);
    for (const socket of sockets) socket.destroy();
  });

  test('a body that never ends is cut off', async () => {
    const one = await open(1);
    const socket = connect({ host: '127.0.0.1', port: one.bridge.port });
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => {});
    socket.resume();
    const head = `POST /api/nope HTTP/1.1\r\nHost: 127.0.0.1:${one.bridge.port}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const flood = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', flood);
    socket.write(head);
    flood();
    await closed;
  });
});
