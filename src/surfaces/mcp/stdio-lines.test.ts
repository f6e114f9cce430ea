import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { beforeEach, describe, expect, test } from 'vitest';
import { mcpLineBytesMax, mcpRequestsMax } from '#core/limits';
import { TestClient } from '../../../test/support/mcp/client.ts';
import { StdioLines } from './stdio-lines.ts';

let toServer: PassThrough;
let fromServer: PassThrough;
let transport: StdioLines;
let client: TestClient;
let received: JSONRPCMessage[];

beforeEach(async () => {
  toServer = new PassThrough();
  fromServer = new PassThrough();
  transport = new StdioLines(toServer, fromServer);
  client = new TestClient(toServer, fromServer);
  received = [];
  transport.onmessage = (message) => void received.push(message);
  await transport.start();
});

const line = (id: number, method = 'ping'): string => `{"jsonrpc":"2.0","id":${id},"method":"${method}"}\n`;
const answer = (id: number): Promise<void> => transport.send({ jsonrpc: '2.0', id, result: {} });
const idsOf = (messages: readonly JSONRPCMessage[]): unknown[] =>
  messages.map((message) => ('id' in message ? message.id : null));
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await soon();
}

describe('lines', () => {
  test('are messages however the bytes are cut, in their order', async () => {
    const bytes = Buffer.from(line(1) + line(2, 'größe/数据') + line(3));
    for (const byte of bytes) client.raw(Buffer.from([byte]));
    await until(() => received.length === 3);
    expect(idsOf(received)).toEqual([1, 2, 3]);
    expect(received[1]).toMatchObject({ method: 'größe/数据' });
  });

  test('that are garbage are answered, and the next is a message again', async () => {
    client.raw(`garbage\n\n[]\n${line(1)}`);
    expect(await client.other()).toMatchObject({ id: null, error: { code: -32700 } });
    expect(await client.other()).toMatchObject({ id: null, error: { code: -32600 } });
    await until(() => received.length === 1);
  });

  test('that are too long are thrown away as they come, and answered once', async () => {
    const part = Buffer.alloc(64 * 1024, 'x');
    for (let bytes = 0; bytes <= 4 * mcpLineBytesMax; bytes += part.length) {
      if (!toServer.write(part)) await once(toServer, 'drain');
    }
    client.raw(`\n${line(1)}`);
    expect(await client.other()).toMatchObject({ error: { message: expect.stringContaining('at most') } });
    await until(() => received.length === 1);
    expect(client.others).toEqual([]);
  });

  test('that are as long as allowed are messages', async () => {
    const start = '{"jsonrpc":"2.0","id":1,"method":"';
    client.raw(`${start}${'m'.repeat(mcpLineBytesMax - start.length - 2)}"}\n`);
    await until(() => received.length === 1);
  });
});

describe('requests', () => {
  test('beyond the limit wait until others are answered or cancelled', async () => {
    for (let id = 1; id <= mcpRequestsMax + 3; id += 1) client.raw(line(id));
    await until(() => received.length === mcpRequestsMax);
    await soon();
    expect(received).toHaveLength(mcpRequestsMax);
    await answer(7);
    await until(() => received.length === mcpRequestsMax + 1);
    await Promise.all([answer(8), answer(9)]);
    await until(() => received.length === mcpRequestsMax + 3);
    expect(idsOf(received)).toEqual(Array.from({ length: mcpRequestsMax + 3 }, (_, at) => at + 1));
  });

  test('that were cancelled are not waited for', async () => {
    client.raw(line(1));
    client.notify('notifications/cancelled', { requestId: 1 });
    client.end();
    await transport.closed;
    expect(received).toHaveLength(2);
  });
});

describe('the end of stdin', () => {
  test('closes at once when nothing is under way', async () => {
    client.end();
    await transport.closed;
  });

  test('lets what is under way be answered first, and takes a last line without its break', async () => {
    client.raw(line(1));
    client.raw(line(2).trimEnd());
    client.end();
    await until(() => received.length === 2);
    const second = client.answerTo(2);
    await answer(1);
    await answer(2);
    await transport.closed;
    expect(await second).toMatchObject({ result: {} });
  });

  test('does not wait for ever for what is never answered', async () => {
    let closed = false;
    transport.onclose = () => {
      closed = true;
    };
    client.raw(line(1));
    client.end();
    await transport.closed;
    expect(closed).toBe(true);
  });
});

test('a client that reads no more is gone', async () => {
  const broken = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  const other = new StdioLines(toServer, broken);
  const errors: string[] = [];
  other.onerror = ({ message }) => void errors.push(message);
  await other.start();
  await expect(other.send({ jsonrpc: '2.0', id: 1, result: {} })).rejects.toThrow('EPIPE');
  await other.closed;
  expect(errors).toContain('EPIPE');
});

test('a client that reads nothing any more does not keep the server when it leaves', async () => {
  const stdin = new PassThrough();
  const stuck = new StdioLines(stdin, new Writable({ write: () => {} }));
  await stuck.start();
  stuck.send({ jsonrpc: '2.0', id: 1, result: {} }).catch(() => {});
  stdin.end();
  await stuck.closed;
});
