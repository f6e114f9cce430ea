import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newServer, type TestServer, until } from '../../../test/support/rpc/server.ts';
import { connectionsMax } from '../limits.ts';
import { call, ping, request } from './client.ts';

let own: TestServer;
let socket: string;

beforeEach(async () => {
  own = await newServer();
  ({ socket } = own);
});
afterEach(() => own.remove());

const options = { timeoutMs: 5_000 };

describe('the server', () => {
  test('listens on a socket that is closed to others, and takes it away', async () => {
    expect(fs.statSync(socket).mode & 0o777).toBe(0o600);
    await own.server.close();
    expect(fs.existsSync(socket)).toBe(false);
    expect(await ping(socket)).toBe('absent');
  });

  test('lets a newcomer in when it is full of idlers, by closing the one that is idle longest', async () => {
    const idlers: net.Socket[] = [];
    let closed: number[] = [];
    for (let at = 0; at < connectionsMax; at += 1) {
      const idler = net.connect(socket);
      idler.on('close', () => closed.push(at));
      await new Promise((resolve) => idler.once('connect', resolve));
      idlers.push(idler);
    }
    // The first one shows that it is alive.
    idlers[0]?.write('{"op":"ping"}\n');
    await new Promise((resolve) => idlers[0]?.once('data', resolve));
    expect(await ping(socket)).toBe('ok');
    await until(() => closed.length > 0);
    expect(closed).toEqual([1]);
    closed = [];
    const answers = await Promise.all(Array.from({ length: 20 }, () => ping(socket)));
    expect(new Set(answers)).toEqual(new Set(['ok']));
    expect(closed).not.toContain(0);
    for (const idler of idlers) idler.destroy();
  });

  test('lets a newcomer in when those at work have half-closed: they may have gone', async () => {
    for (let at = 0; at < connectionsMax; at += 1) net.connect(socket).end('{"op":"hold"}\n');
    await until(() => own.held.length === connectionsMax);
    expect(await ping(socket)).toBe('ok');
  });

  test('refuses a newcomer in words when every connection is at work', async () => {
    const busy: net.Socket[] = [];
    for (let at = 0; at < connectionsMax; at += 1) {
      const client = net.connect(socket);
      client.write('{"op":"hold"}\n');
      busy.push(client);
    }
    await until(() => own.held.length === connectionsMax);
    await expect(call(socket, { op: 'ping' }, options)).rejects.toMatchObject({ code: 'busy' });
    for (const release of own.held.splice(0)) release();
    for (const client of busy) client.destroy();
  });

  test('answers what is under way when it closes', async () => {
    const answer = request(socket, { op: 'hold' }, options);
    await until(() => own.held.length === 1);
    const closing = own.server.close();
    for (const release of own.held) release();
    expect(await answer).toEqual({ ok: true, held: true });
    await closing;
  });

  test('makes a new socket where its own was removed, keeps its connections, and leaves no file at the end', async () => {
    const place = path.join(own.folder, 'removed.sock');
    let reopened = 0;
    const other = await own.another(place, {
      checkMs: 5,
      reopened: () => {
        reopened += 1;
      },
    });
    const held = request(place, { op: 'hold' }, options);
    await until(() => own.held.length === 1);
    for (const time of [1, 2]) {
      fs.rmSync(place);
      await until(() => reopened === time);
      expect(fs.statSync(place).mode & 0o777).toBe(0o600);
      expect(await ping(place)).toBe('ok');
    }
    for (const release of own.held) release();
    expect(await held).toEqual({ ok: true, held: true });
    await other.close();
    expect(fs.existsSync(place)).toBe(false);
  });

  test('leaves alone what stands where its socket was', async () => {
    const place = path.join(own.folder, 'removed.sock');
    let reopened = 0;
    const other = await own.another(place, {
      checkMs: 5,
      reopened: () => {
        reopened += 1;
      },
    });
    fs.writeFileSync(`${place}.new`, 'somebody keeps notes here');
    fs.renameSync(`${place}.new`, place);
    const second = path.join(own.folder, 'second.sock');
    const neighbour = await own.another(second, {
      checkMs: 5,
      reopened: () => {
        reopened += 10;
      },
    });
    // When the other one has checked, this one has checked too.
    fs.rmSync(second);
    await until(() => reopened >= 10);
    expect(reopened).toBe(10);
    expect(fs.readFileSync(place, 'utf8')).toBe('somebody keeps notes here');
    fs.rmSync(place);
    await other.close();
    await neighbour.close();
  });

  test('makes no socket in a folder that is not its own any more', async () => {
    const place = path.join(own.folder, 'removed.sock');
    let looks = 0;
    const other = await own.another(place, {
      checkMs: 5,
      isHome: () => {
        looks += 1;
        return false;
      },
    });
    fs.rmSync(place);
    await until(() => looks >= 2);
    expect(fs.existsSync(place)).toBe(false);
    await other.close();
  });

  test('is reached by a path that is longer than the platform allows', async () => {
    const deep = path.join(own.folder, 'd'.repeat(120), 'e'.repeat(60));
    fs.mkdirSync(deep, { recursive: true, mode: 0o700 });
    const long = path.join(deep, 'memd.sock');
    if (process.platform !== 'linux') {
      await expect(own.another(long)).rejects.toMatchObject({
        code: 'path_too_long',
      });
      return;
    }
    const other = await own.another(long);
    expect(fs.statSync(long).isSocket()).toBe(true);
    for (let at = 0; at < 3; at += 1) expect(await ping(long)).toBe('ok');
    await other.close();
    expect(fs.existsSync(long)).toBe(false);
    expect(await ping(long)).toBe('absent');
    expect(await ping(path.join(deep, 'f'.repeat(20), 'memd.sock'))).toBe('absent');
  });
});
