import fs from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { ensureFolders } from '#core/workspace';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { end, lives } from '../support/processes.ts';
import { until } from '../support/until.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  await closeHomes();
});
afterAll(() => expect(leftBehind()).toEqual([]));

/** A process of another kind that listens at the socket path. */
function listenAt(socket: string, answer: string | null): Promise<Server> {
  const server = createServer((client) => {
    client.on('error', () => {});
    client.on('data', () => (answer === null ? client.destroy() : client.end(answer)));
  });
  servers.push(server);
  return new Promise((resolve) =>
    server.listen(socket, () => {
      fs.chmodSync(socket, 0o600);
      resolve(server);
    }),
  );
}

describe('what a killed daemon leaves', () => {
  test('a stale socket is said, removed, and the next start succeeds', async () => {
    const home = Home.open();
    const killed = await home.start();
    await end(killed, 'SIGKILL');
    const { socket, pid } = home.workspace();
    expect([fs.existsSync(socket), fs.existsSync(pid)]).toEqual([true, true]);

    const next = await home.memd(['start']);
    expect(next.code).toBe(0);
    expect(next.stderr).toBe(
      `memd: the last daemon (pid ${killed}) was killed; what it acknowledged is stored (socket path in use: stale, removed)\n`,
    );
    expect(await home.ask({ op: 'ping' })).toEqual({ ok: true });
  });

  test('a process that has got the number in run.pid is not signalled', async () => {
    const home = Home.open();
    await end(await home.start(), 'SIGKILL');
    // This very process stands for the innocent one.
    fs.writeFileSync(home.workspace().pid, `${process.pid}\n`);
    expect(await home.memd(['stop'])).toMatchObject({ code: 0, stdout: 'memd is not running\n' });
    fs.writeFileSync(home.workspace().pid, `${process.pid}\n`);
    expect(await home.memd(['start'])).toMatchObject({ code: 0 });
    expect(home.pid()).not.toBe(process.pid);
  });

  test('a hung daemon whose run.pid names another process: nothing is signalled, and the refusal says so', async () => {
    const home = Home.open();
    const hung = await home.start();
    process.kill(hung, 'SIGSTOP');
    fs.writeFileSync(home.workspace().pid, `${process.pid}\n`);
    const stop = await home.memd(['stop']);
    expect(stop.code).toBe(1);
    expect(stop.stderr).toContain(`pid ${process.pid} is not provably the daemon of ${home.project}`);
    expect(lives(hung)).toBe(true);
  });
});

describe('a daemon that lives but does not answer', () => {
  test('start refuses, naming its pid and the repair, and leaves it alone', async () => {
    const home = Home.open();
    const hung = await home.start();
    process.kill(hung, 'SIGSTOP');
    const start = await home.memd(['start']);
    expect(start.code).toBe(1);
    expect(start.stderr).toContain(`socket path in use ${home.workspace().socket} (pid ${hung})`);
    expect(start.stderr).toContain('memd restart');
    expect(home.daemons()).toEqual([hung]);
  });

  test('restart ends it and starts another', async () => {
    const home = Home.open();
    const hung = await home.start();
    process.kill(hung, 'SIGSTOP');
    expect(await home.memd(['restart'])).toMatchObject({ code: 0 });
    expect(lives(hung)).toBe(false);
    expect(home.daemons()).toEqual([home.pid()]);
  });
});

describe('something else at the socket path', () => {
  test('a regular file is refused and left as it is', async () => {
    const home = Home.open();
    const { socket } = home.workspace();
    ensureFolders(home.workspace());
    fs.writeFileSync(socket, 'somebody keeps notes here');
    const start = await home.memd(['start']);
    expect(start.code).toBe(1);
    expect(start.stderr).toContain(`socket path in use ${socket}`);
    expect(start.stderr).toContain('not a socket');
    expect(fs.readFileSync(socket, 'utf8')).toBe('somebody keeps notes here');
    await until('the end of the refused daemon', () => home.daemons().length === 0);
  });

  test.each([
    ['speaks another language', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['refuses', '{"ok":false}\n'],
    ['hangs up', null],
  ])('a foreign listener that %s is refused and goes on listening', async (_how, answer) => {
    const home = Home.open();
    const { socket } = home.workspace();
    ensureFolders(home.workspace());
    const server = await listenAt(socket, answer);
    const start = await home.memd(['start']);
    expect(start.code).toBe(1);
    expect(start.stderr).toContain(`socket path in use ${socket}`);
    expect(start.stderr).toContain('another process listens there');
    expect(server.listening).toBe(true);
    expect(fs.lstatSync(socket).isSocket()).toBe(true);
    await until('the end of the refused daemon', () => home.daemons().length === 0);
  });

  test('a foreign listener that answers pings like memd is not taken for the daemon by stop', async () => {
    const home = Home.open();
    ensureFolders(home.workspace());
    await listenAt(home.workspace().socket, '{"ok":true}\n');
    expect(await home.memd(['stop'])).toMatchObject({ code: 0, stdout: 'memd is not running\n' });
  });
});

describe('a socket path that does not fit the platform', () => {
  test('a HOME whose socket path is over 108 bytes works, for commands, hook and daemon', async () => {
    const home = Home.open({
      name: path.join(...Array.from({ length: 6 }, () => 'a-long-folder-name-of-30-bytes')),
    });
    const { socket, folder } = home.workspace();
    expect(Buffer.byteLength(socket)).toBeGreaterThan(108);
    const pid = await home.start();
    expect(await home.hook({ tool: 'Read', input: { file_path: 'a' }, output: 'b' })).toMatchObject({
      code: 0,
      stdout: '{"ok":true}\n',
    });
    expect(JSON.parse((await home.memd(['info', '--json'])).stdout)).toMatchObject({
      daemon: { reachable: true, pid },
      counts: { events: 1 },
    });
    expect(fs.readdirSync(folder)).toContain('memd.sock');
    await end(pid, 'SIGKILL');
    expect(await home.memd(['start'])).toMatchObject({ code: 0 });
    expect(await home.memd(['stop'])).toMatchObject({ code: 0 });
    expect(fs.existsSync(socket)).toBe(false);
  });
});
