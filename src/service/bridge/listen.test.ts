import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { bridgePortMin, listen } from './listen.ts';

const opened: Server[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await new Promise((resolve) => server.close(resolve));
});

function newServer(): Server {
  const server = createServer();
  opened.push(server);
  return server;
}

const placeOf = (server: Server): AddressInfo => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not on a port');
  return address;
};

test('any port is one of the dynamic ones, on the loopback address alone', async () => {
  const server = newServer();
  const port = await listen(server, 0);
  expect(placeOf(server)).toEqual({ address: '127.0.0.1', family: 'IPv4', port });
  expect(port).toBeGreaterThanOrEqual(bridgePortMin);
});

test('a wished port is taken when it is free', async () => {
  const former = newServer();
  const port = await listen(former, 0);
  await new Promise((resolve) => former.close(resolve));
  opened.length = 0;
  expect(await listen(newServer(), port)).toBe(port);
});

test('after some tries the system chooses instead of a wished port that is taken', async () => {
  const port = await listen(newServer(), 0);
  const server = newServer();
  const other = await listen(server, port);
  expect(other).not.toBe(port);
  expect(placeOf(server).port).toBe(other);
});

test('a wished port that is given back meanwhile is taken', async () => {
  const former = newServer();
  const port = await listen(former, 0);
  const wished = listen(newServer(), port);
  opened.shift();
  former.close();
  expect(await wished).toBe(port);
});
