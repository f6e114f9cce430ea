import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bridgeConnectionsMax } from '#core/limits';
import { Connections } from './connections.ts';
import { listen } from './listen.ts';

let server: Server;
let port: number;
const sockets: Socket[] = [];

/** Answers `/now`, and nothing else ever; `?token` has brought the token. */
beforeEach(async () => {
  server = createServer();
  const connections = new Connections(server);
  server.on('request', (request, response) => {
    if (!connections.begun(request.socket, response)) return;
    if (request.url?.endsWith('?token')) connections.trust(request.socket);
    response.write('begun ');
    if (request.url?.startsWith('/now')) response.end('done');
  });
  port = await listen(server, 0);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** Settles with the first that comes, or null when the connection is ended before. */
async function ask(target: string): Promise<string | null> {
  const socket = connect({ host: '127.0.0.1', port });
  sockets.push(socket);
  socket.on('error', () => {});
  socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return Promise.race([once(socket, 'data').then(String), once(socket, 'close').then(() => null)]);
}

async function fill(target: string): Promise<void> {
  for (let at = 0; at < bridgeConnectionsMax; at += 1) expect(await ask(target)).toContain('begun');
}

test('those without the token who hold their answers up make room', async () => {
  await fill('/held');
  expect(await ask('/now')).toContain('begun');
  await fill('/held');
  expect(await ask('/now?token')).toContain('begun');
});

test('a connection with the token that waits for an answer is not ended for another', async () => {
  await fill('/held?token');
  const [first] = sockets;
  expect(await ask('/now')).toBe(null);
  expect(await ask('/now?token')).toBe(null);
  expect(first?.destroyed).toBe(false);
});

test('with the token, one on which no answer is due makes room', async () => {
  expect(await ask('/now?token')).toContain('begun');
  for (let at = 1; at < bridgeConnectionsMax; at += 1) await ask('/held?token');
  const [idle, busy] = sockets;
  const ended = idle && once(idle, 'close');
  expect(await ask('/now')).toContain('begun');
  await ended;
  expect(busy?.destroyed).toBe(false);
});
