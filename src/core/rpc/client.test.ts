import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { newServer, strangeAt, type TestServer, until } from '../../../test/support/rpc/server.ts';
import { call, ping, request } from './client.ts';

let own: TestServer;
let socket: string;

beforeEach(async () => {
  own = await newServer();
  ({ socket } = own);
});
afterEach(() => own.remove());

const options = { timeoutMs: 5_000 };

describe('the client', () => {
  const strange = (answer: (client: net.Socket) => void) => strangeAt(own.folder, answer);

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
      "process.umask(0o177); require('net').createServer().listen({ path: process.argv[1], backlog: 1 }, () => console.log())";
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

  test('waits no longer than its timeout', async () => {
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
    ['an end without a word', '', 'closed'],
  ])('takes %s for no reply', async (_name, words, code = 'bad_reply') => {
    const { at, close } = await strange((client) => client.end(words));
    await expect(request(at, { op: 'ping' }, options)).rejects.toMatchObject({ code });
    expect(await ping(at)).toBe('silent');
    close();
  });

  test.each([
    ['one without its newline', '{"ok":true}', 'ok'],
    ['one that does not say how it went', '{"at":1}\n', 'silent'],
  ])('takes %s for the whole reply to a ping', async (_name, words, health) => {
    const { at, close } = await strange((client) => client.write(words));
    expect(await ping(at)).toBe(health);
    close();
  });

  test('that asks by a ping first gives up one that is silent, and sends it nothing more', async () => {
    const heard: string[] = [];
    const { at, close } = await strange((client) => client.on('data', (chunk) => heard.push(String(chunk))));
    await expect(call(at, { op: 'forget' }, { timeoutMs: 3_600_000, pingFirst: true })).rejects.toMatchObject(
      {
        code: 'silent',
        message: 'it hangs: no answer within 1500 ms',
      },
    );
    expect(heard).toEqual(['{"op":"ping"}\n']);
    close();
  });

  test('that asks by a ping first waits for one that is awake, and is refused by one that is busy', async () => {
    const first = { ...options, pingFirst: true };
    const answer = call(socket, { op: 'hold' }, first);
    await until(() => own.held.length === 1);
    for (const release of own.held) release();
    expect(await answer).toEqual({ ok: true, held: true });
    const interim: JsonObject[] = [];
    expect(
      await call(socket, { op: 'count' }, { ...first, interim: (fields) => interim.push(fields) }),
    ).toEqual({ ok: true, done: true });
    expect(interim).toEqual([{ at: 1 }, { at: 2 }, { at: 3 }]);
    const { at, close } = await strange((client) =>
      client.end('{"ok":false,"error":{"code":"busy","message":"later"}}\n'),
    );
    await expect(call(at, { op: 'x' }, first)).rejects.toMatchObject({ code: 'busy', message: 'later' });
    close();
  });

  describe('does not speak to', () => {
    /** The socket's path for the client, after the change. */
    type Spoil = (folder: string, at: string) => string;
    const moved: Spoil = (folder, at) => {
      fs.symlinkSync(at, path.join(folder, 'linked.sock'));
      return path.join(folder, 'linked.sock');
    };
    const linkedFolder: Spoil = (folder, at) => {
      const link = path.join(folder, 'link');
      fs.symlinkSync(path.dirname(at), link);
      return path.join(link, path.basename(at));
    };
    const changed =
      (change: (folder: string, at: string) => void): Spoil =>
      (folder, at) => {
        change(folder, at);
        return at;
      };
    const isRoot = process.getuid?.() === 0;
    const cases: [string, Spoil, string, RegExp][] = [
      [
        'a socket that others may write to',
        changed((_, at) => fs.chmodSync(at, 0o666)),
        'unsafe_socket',
        /strange\.sock is open to other users \(mode 0666\).*Run `chmod 600 '/,
      ],
      ['a link to a socket', moved, 'unsafe_socket', /linked\.sock is a symbolic link.*Remove it/],
      [
        'a folder that others may enter',
        changed((folder) => fs.chmodSync(folder, 0o777)),
        'unsafe_folder',
        /is open to other users \(mode 0777\).*Run `chmod 700 '/,
      ],
      ['a link to a folder', linkedFolder, 'unsafe_folder', /link is a symbolic link/],
    ];
    if (isRoot)
      cases.push([
        'a socket of another user',
        changed((_, at) => fs.chownSync(at, 65_534, 65_534)),
        'unsafe_socket',
        /belongs to another user \(uid 65534\).*chown/,
      ]);

    test.each(cases)('%s', async (_name, spoil, code, words) => {
      let met = 0;
      const { at, close } = await strange(() => {
        met += 1;
      });
      const received = spoil(own.folder, at);
      const refused = { code, message: expect.stringMatching(words) };
      await expect(request(received, { op: 'x' }, options)).rejects.toMatchObject(refused);
      await expect(ping(received)).rejects.toMatchObject(refused);
      expect(met).toBe(0);
      fs.chmodSync(own.folder, 0o700);
      close();
    });

    test.runIf(process.platform === 'linux')('a long path whose file is open to others', async () => {
      const deep = path.join(own.folder, 'd'.repeat(120));
      fs.mkdirSync(deep, { mode: 0o700 });
      const long = path.join(deep, 'memd.sock');
      const other = await own.another(long);
      expect(await ping(long)).toBe('ok');
      fs.chmodSync(long, 0o666);
      await expect(ping(long)).rejects.toMatchObject({ code: 'unsafe_socket' });
      await other.close();
    });
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
