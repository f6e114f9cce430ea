import { spawn } from 'node:child_process';
import fs from 'node:fs';
import type net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAlive } from '#core/platform';
import { strangeAt } from '../../../test/support/rpc/server.ts';
import { pingTimeoutMs } from '../limits.ts';
import { call, request, requestOnce } from './client.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-rpc-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const options = { timeoutMs: 5_000 };
const strange = (answer: (client: net.Socket) => void) => strangeAt(folder, answer);

describe('a client whose connection ends', () => {
  const pong = '{"ok":true}\n';
  /** Answers a ping on its first connection and ends it at the request; `then` has those that follow. */
  async function leaving(end: (client: net.Socket) => void, then: (client: net.Socket) => void) {
    const heard: string[][] = [];
    const other = await strange((client) => {
      const mine: string[] = [];
      heard.push(mine);
      client.on('data', (chunk) => {
        mine.push(String(chunk));
        if (heard.length > 1) then(client);
        else if (mine.length === 1) client.write(pong);
        else end(client);
      });
    });
    return { ...other, heard };
  }
  const first = { ...options, pingFirst: true };
  const asked = ['{"op":"ping"}\n', '{"op":"x"}\n'];

  test.each([
    ['in order', (client: net.Socket) => void client.end()],
    ['at once', (client: net.Socket) => void client.destroy()],
  ])('%s before its request was taken asks once more', async (_name, end) => {
    const { at, close, heard } = await leaving(end, (client) => client.write(pong));
    expect(await call(at, { op: 'x' }, first)).toEqual({ ok: true });
    expect(heard).toEqual([asked, asked]);
    close();
  });

  test.runIf(process.platform === 'linux')('while it stands in the queue asks once more', async () => {
    const at = path.join(folder, 'queue.sock');
    const code =
      "process.umask(0o177); require('net').createServer().listen(process.argv[1], () => console.log())";
    const child = spawn(process.execPath, ['-e', code, at]);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill('SIGSTOP');
    const asking = request(at, { op: 'x' }, options);
    child.kill('SIGKILL');
    // Before this process hears that it stands in the queue, which it would take for a connection.
    while (child.pid !== undefined && isAlive(child.pid));
    await expect(asking).rejects.toMatchObject({ code: 'unreachable', message: 'connect ECONNREFUSED' });
  });

  test.each([
    ['is to be done once', requestOnce, 0],
    ['was open for longer than a ping may take', request, pingTimeoutMs + 50],
  ])('asks no second time what %s', async (_name, send, afterMs) => {
    let met = 0;
    const { at, close } = await strange((client) => {
      met += 1;
      setTimeout(() => client.end(), afterMs);
    });
    await expect(send(at, { op: 'shutdown' }, options)).rejects.toMatchObject({
      code: 'closed',
    });
    expect(met).toBe(1);
    close();
  });

  test('and finds no listener the second time reports that', async () => {
    const { at, close } = await leaving(
      (client) => {
        fs.unlinkSync(at);
        client.end();
      },
      () => {},
    );
    await expect(call(at, { op: 'x' }, first)).rejects.toMatchObject({
      code: 'unreachable',
      message: 'connect ENOENT',
    });
    close();
  });

  test.each([
    ['after an interim line', '{"at":1}\n'],
    ['with half a reply', '{"ok":tr'],
  ])('%s asks no second time', async (_name, received) => {
    const { at, close, heard } = await leaving(
      (client) => client.end(received),
      () => {},
    );
    await expect(call(at, { op: 'x' }, first)).rejects.toMatchObject({
      code: 'closed',
      message: 'the connection was closed without a reply',
    });
    expect(heard).toEqual([asked]);
    close();
  });
});
