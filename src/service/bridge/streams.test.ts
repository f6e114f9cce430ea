import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  authorized,
  bodyOf,
  remember,
  type TestBridge,
  testBridges,
} from '../../../test/support/bridge/bridge.ts';
import { until } from '../../../test/support/until.ts';
import { listen as listenOn } from './listen.ts';
import { bridgeStreamsMax, Streams } from './streams.ts';

const open = testBridges();

/** Reads a stream until `enough` of its text. */
async function readUntil(response: Response, enough: (text: string) => boolean): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (reader !== undefined && !enough(text)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the stream ended after: ${text}`);
    text += decoder.decode(value, { stream: true });
  }
  reader?.releaseLock();
  return text;
}

describe('the stream', () => {
  const listen = (one: TestBridge, signal: AbortSignal) =>
    fetch(`${one.bridge.url}/api/stream`, { headers: authorized(one), signal });

  test('sends the counts immediately and when they change; each once', async () => {
    const one = await open(2);
    const end = new AbortController();
    const response = await listen(one, end.signal);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await readUntil(response, (text) => text.includes('\n\n') && text.includes('data:'))).toContain(
      'event: counts\ndata: {"counts":{"events":2,"raw":0,"summarized":2',
    );
    remember(one.store, 2, 3);
    const next = await readUntil(response, (text) => text.includes('data:'));
    expect(next).toMatch(/^event: counts\ndata: \{"counts":\{"events":5.*\}\n\n$/);
    end.abort();
  });

  test('is open to so many', async () => {
    const one = await open(1);
    const end = new AbortController();
    for (let at = 0; at < bridgeStreamsMax; at += 1) await listen(one, end.signal);
    const refused = await listen(one, new AbortController().signal);
    expect([refused.status, (await bodyOf(refused)).error.code]).toEqual([503, 'busy']);
    end.abort();
  });

  test('that waits behind another on its connection ends with it', async () => {
    const one = await open(1);
    const request = `GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1:${one.bridge.port}\r\nAuthorization: Bearer ${one.token}\r\n\r\n`;
    for (let at = 0; at < bridgeStreamsMax; at += 1) {
      const socket = connect({ host: '127.0.0.1', port: one.bridge.port });
      socket.write(request + request);
      await once(socket, 'data');
      socket.destroy();
    }
    const end = new AbortController();
    for (let at = 0; at < bridgeStreamsMax; at += 1)
      await until('room', async () => (await listen(one, end.signal)).status === 200);
    end.abort();
  });

  test('ends with the bridge', async () => {
    const one = await open(1);
    const response = await listen(one, new AbortController().signal);
    const text = response.text().catch(() => 'ended');
    await one.bridge.close();
    expect(await text).toBeDefined();
  });

  test('HEAD is answered and ends', async () => {
    const one = await open(1);
    const response = await fetch(`${one.bridge.url}/api/stream`, {
      method: 'HEAD',
      headers: authorized(one),
    });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

test('nothing is looked at while nobody listens', async () => {
  let looks = 0;
  const look = async (): Promise<object> => ({ looks: ++looks });
  const streams = new Streams({ look, internal: (error) => expect(error).toBeUndefined(), tickMs: 1 });
  const server = createServer((_request, response) => streams.add(response));
  const port = await listenOn(server, 0);
  const end = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}`, { signal: end.signal });
  await readUntil(response, (text) => text.includes('"looks":3'));
  end.abort();
  await until('the end of the stream', () => streams.size === 0);
  const before = looks;
  const rounds = 20;
  for (let round = 0; round < rounds; round += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  // One may have been under way.
  expect(looks).toBeLessThanOrEqual(before + 1);
  const next = looks + 1;
  const again = await fetch(`http://127.0.0.1:${port}`);
  await readUntil(again, (text) => text.includes(`"looks":${next}`));
  streams.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
