import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../event/index.ts';
import { call, ping, request } from './client.ts';
import { newServer, type TestServer } from './server-for-tests.ts';

let own: TestServer;
let socket: string;

beforeEach(async () => {
  own = await newServer();
  ({ socket } = own);
});
afterEach(() => own.remove());

const options = { timeoutMs: 5_000 };

describe('the client', () => {
  /** A server that is not memd. */
  async function strange(answer: (client: net.Socket) => void): Promise<{ at: string; close: () => void }> {
    const at = path.join(own.folder, 'strange.sock');
    const open = new Set<net.Socket>();
    const other = net.createServer((client) => {
      open.add(client);
      client.on('error', () => {});
      client.resume();
      answer(client);
    });
    await new Promise<void>((resolve) => other.listen(at, resolve));
    return {
      at,
      close: () => {
        for (const client of open) client.destroy();
        other.close();
      },
    };
  }

  test('says that nobody listens: no file, a dead socket, no socket', async () => {
    await expect(request(path.join(own.folder, 'none.sock'), { op: 'ping' }, options)).rejects.toMatchObject({
      code: 'unreachable',
      message: 'connect ENOENT',
    });
    const file = path.join(own.folder, 'file.sock');
    fs.writeFileSync(file, '');
    await expect(request(file, { op: 'ping' }, options)).rejects.toMatchObject({
      code: 'unreachable',
      message: 'connect ECONNREFUSED',
    });
    expect(await ping(file)).toBe('absent');
  });

  test.runIf(process.platform === 'linux')('one whose queue is full is silent, not absent', async () => {
    const at = path.join(own.folder, 'full.sock');
    const code =
      "require('net').createServer().listen({ path: process.argv[1], backlog: 1 }, () => console.log())";
    const child = spawn(process.execPath, ['-e', code, at]);
    const waiting: net.Socket[] = [];
    try {
      await new Promise((resolve) => child.stdout.once('data', resolve));
      child.kill('SIGSTOP');
      for (let refusal: unknown; refusal !== 'EAGAIN'; ) {
        const client = net.connect(at);
        waiting.push(client);
        refusal = await new Promise((resolve) => {
          client.once('connect', () => resolve(null));
          client.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
        });
      }
      expect(await ping(at)).toBe('silent');
    } finally {
      child.kill('SIGKILL');
      for (const client of waiting) client.destroy();
    }
  });

  test('waits no longer than it was told', async () => {
    const { at, close } = await strange(() => {});
    await expect(request(at, { op: 'ping' }, { timeoutMs: 30 })).rejects.toMatchObject({
      code: 'timeout',
      message: 'timeout',
    });
    close();
  });

  test.each([
    ['a greeting', 'HELLO\r\n'],
    ['a list', '[1]\n'],
    ['an end without a word', ''],
  ])('takes %s for no reply', async (_name, words) => {
    const { at, close } = await strange((client) => client.end(words));
    await expect(request(at, { op: 'ping' }, options)).rejects.toMatchObject({ code: 'bad_reply' });
    expect(await ping(at)).toBe('silent');
    close();
  });

  test('puts a reply together from any pieces', async () => {
    const reply = Buffer.from(`{"at":1}\n${JSON.stringify({ ok: true, text: 'é'.repeat(50) })}\n`);
    const { at, close } = await strange((client) => {
      const send = (from: number): void => {
        if (from < reply.length)
          client.write(reply.subarray(from, from + 7), () => setImmediate(send, from + 7));
      };
      send(0);
    });
    const interim: JsonObject[] = [];
    const answer = await request(at, { op: 'x' }, { ...options, interim: (fields) => interim.push(fields) });
    expect(answer).toEqual({ ok: true, text: 'é'.repeat(50) });
    expect(interim).toEqual([{ at: 1 }]);
    close();
  });

  test('takes a large reply whole', async () => {
    const text = 'x'.repeat(3_000_000);
    expect(await request(socket, { op: 'long', chars: text.length }, options)).toEqual({ ok: true, text });
  });

  test('throws a refusal with the code of the wire', async () => {
    await expect(call(socket, { op: 'refuse' }, options)).rejects.toMatchObject({
      code: 'busy',
      message: 'not now',
    });
    expect(await request(socket, { op: 'refuse' }, options)).toMatchObject({ ok: false });
  });
});
