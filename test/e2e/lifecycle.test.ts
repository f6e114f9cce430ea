import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { end, lives } from '../support/processes.ts';
import { isAll, slowSuite, slowTest } from '../support/slow.ts';
import { until } from '../support/until.ts';
import { ask } from '../support/wire.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

describe('a life of the daemon', () => {
  test('start, info, stop: it runs, says so, and leaves neither process, pid file nor socket', async () => {
    const home = Home.open();
    const started = await home.memd(['start']);
    const pid = home.pid();
    expect(started).toMatchObject({ code: 0, stdout: `memd is running (pid ${pid})\n`, stderr: '' });
    expect(home.daemons()).toEqual([pid]);

    const info = await home.memd(['info', '--json']);
    expect(info).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(info.stdout)).toMatchObject({
      workspace: { root: home.project, namespace: 'default' },
      daemon: { reachable: true, pid },
      counts: { events: 0, raw: 0, summarized: 0, skipped: 0, summaries: 0, embeddings: 0 },
    });

    expect(await home.memd(['stop'])).toMatchObject({ code: 0, stdout: `memd was stopped (pid ${pid})\n` });
    expect(lives(pid)).toBe(false);
    const { pid: pidFile, socket } = home.workspace();
    expect([fs.existsSync(pidFile), fs.existsSync(socket)]).toEqual([false, false]);
  });

  test('run.pid holds the process id of the daemon that answers', async () => {
    const home = Home.open();
    await home.start();
    const { info } = await home.ask({ op: 'info' });
    expect(info).toMatchObject({ daemon: { pid: home.pid() } });
    expect(fs.readFileSync(home.workspace().pid, 'utf8')).toBe(`${home.pid()}\n`);
  });

  test('start with a running daemon says so and exits 0', async () => {
    const home = Home.open();
    const pid = await home.start();
    const again = await home.memd(['start']);
    expect(again).toMatchObject({ code: 0, stdout: `memd is already running (pid ${pid})\n` });
    expect(home.daemons()).toEqual([pid]);
  });

  test('stop without a daemon says so and exits 0', async () => {
    const home = Home.open();
    expect(await home.memd(['stop'])).toMatchObject({ code: 0, stdout: 'memd is not running\n' });
  });

  slowTest('signals that are for nobody here neither end it nor open Node’s inspector', async () => {
    const home = Home.open();
    const pid = await home.start();
    for (const signal of ['SIGUSR1', 'SIGUSR2', 'SIGHUP'] as const) process.kill(pid, signal);
    expect(await home.ask({ op: 'ping' })).toEqual({ ok: true });
    const sockets = spawnSync('ls', ['-l', `/proc/${pid}/fd`], { encoding: 'utf8' }).stdout;
    expect(home.daemons()).toEqual([pid]);
    if (process.platform !== 'linux') return;
    const own = new Set([...sockets.matchAll(/socket:\[(\d+)\]/g)].map(([, inode]) => inode));
    const listening = fs
      .readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/));
    // State 0A is LISTEN (proc_pid_net(5)): the page's port, and no other.
    expect(
      listening.filter(([, , , state, , , , , , inode]) => state === '0A' && own.has(inode)),
    ).toHaveLength(1);
  });

  test.runIf(isAll && fs.existsSync('/dev/full'))('a result that cannot be written is reported', async () => {
    const home = Home.open();
    await home.start();
    for (const program of ['memd.cjs --help', 'memd.cjs doctor', 'mem.cjs export']) {
      const line = `exec "$0" ${dist}/${program} > /dev/full`;
      const ran = spawnSync('sh', ['-c', line, process.execPath], {
        ...{ cwd: home.project, env: home.env(), encoding: 'utf8' },
      });
      expect(ran.stderr).toMatch(/^Cannot write to standard output: [^\n]*ENOSPC[^\n]*\n$/);
      expect(ran.status).toBe(1);
    }
  });

  test('restart ends one daemon and starts another', async () => {
    const home = Home.open();
    const before = await home.start();
    expect(await home.memd(['restart'])).toMatchObject({ code: 0 });
    expect(home.pid()).not.toBe(before);
    expect(home.daemons()).toEqual([home.pid()]);
  });

  slowTest(
    'a problem that does not stop the database is in the log, also when it is found at its opening',
    async () => {
      const home = Home.open();
      await home.start();
      await home.memd(['stop']);
      fs.mkdirSync(path.join(home.workspace().folder, 'restore-20200101T000000.000Z.ndjson'));
      await home.start();
      expect(home.daemonLog()).toContainEqual(
        expect.objectContaining({ msg: 'old restore files could not be removed' }),
      );
    },
  );

  test('without a daemon, info says `daemon: unreachable`, shows the counts of the database and exits 1', async () => {
    const home = Home.open();
    await home.start();
    await home.hook({ tool: 'Read', input: { file_path: 'a.txt' }, output: 'a' });
    await home.memd(['stop']);
    const info = await home.memd(['info']);
    expect(info.code).toBe(1);
    expect(info.stdout.split('\n')).toContain('daemon: unreachable');
    const asJson = await home.memd(['info', '--json']);
    expect(asJson.code).toBe(1);
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      daemon: { reachable: false, uptimeSec: null },
      counts: { events: 1, raw: 1 },
    });
  });

  slowTest(
    'info for people has a line for focus, scope and every count, set or not, with the daemon and without',
    async () => {
      const home = Home.open();
      await home.start();
      await home.hook({ tool: 'Read', input: { file_path: 'a.txt' }, output: 'a' });
      const lines = async () => (await home.memd(['info'])).stdout.split('\n');
      const unset = [
        'events     1: 0 summarized, 1 raw, 0 skipped',
        'summaries  0',
        'embeddings 0',
        'focus      none',
        'scope      off',
      ];
      expect(await lines()).toEqual(expect.arrayContaining(unset));
      await home.memd(['stop']);
      expect(await lines()).toEqual(expect.arrayContaining(unset));

      home.operate(
        "UPDATE events SET status = 'skipped'; INSERT INTO settings VALUES ('focus', 'the cache')",
      );
      fs.mkdirSync(path.join(home.project, '.memd'));
      fs.writeFileSync(path.join(home.project, '.memd/scope.json'), '{"allow": ["src/**"]}');
      const set = [
        'events     1: 0 summarized, 0 raw, 1 skipped',
        'focus      the cache',
        'scope      assistants may write src/**',
      ];
      expect(await lines()).toEqual(expect.arrayContaining(set));
      await home.start();
      expect(await lines()).toEqual(expect.arrayContaining(set));
    },
  );

  slowTest('daemon.uptimeSec grows while the daemon lives', async () => {
    const home = Home.open();
    await home.start();
    const uptime = async () => (await home.info()).daemon.uptimeSec ?? Number.NaN;
    const first = await uptime();
    expect(await uptime()).toBeGreaterThan(first);
  });

  slowTest.each(['SIGTERM', 'SIGINT'] as const)('%s ends the daemon in order', async (signal) => {
    const home = Home.open();
    const pid = await home.start();
    await home.hook({ tool: 'Read', input: { file_path: 'a.txt' }, output: 'a' });
    await end(pid, signal);
    const { pid: pidFile, socket, log } = home.workspace();
    expect([fs.existsSync(pidFile), fs.existsSync(socket)]).toEqual([false, false]);
    expect(fs.statSync(log).size).toBe(0);
    expect(home.daemonLog().at(-1)).toMatchObject({ msg: 'stopped' });
  });

  slowTest('with idleMinutes it leaves by itself when nobody asks anything of it', async () => {
    const home = Home.open({ config: { idleMinutes: 0.002 } });
    // On a busy machine it may have left when the command ends.
    const { code, stdout } = await home.memd(['start']);
    expect(code).toBe(0);
    const pid = Number(/\(pid (\d+)\)/.exec(stdout)?.[1]);
    expect(pid).toBeGreaterThan(0);
    await until('the idle daemon to leave', () => !lives(pid));
    expect(fs.existsSync(home.workspace().pid)).toBe(false);
    expect(home.daemonLog().map(({ reason }) => reason)).toContain('idle for 0.002 minutes');
  });

  // SIGHUP is what a terminal that is closed sends.
  slowTest.each(['SIGTERM', 'SIGHUP'] as const)(
    'start --foreground stays, and ends in order with %s',
    async (signal) => {
      const home = Home.open();
      let command = 0;
      const ran = home.memd(['start', '--foreground'], { running: (pid) => (command = pid) });
      await until('its answer', () => home.ask({ op: 'ping' }).catch(() => null));
      process.kill(command, signal);
      const stdout = expect.stringMatching(/^memd is running \(pid \d+\)\n$/);
      expect(await ran).toMatchObject({ code: 0, stdout, stderr: '' });
      expect(home.daemons()).toEqual([]);
      expect(fs.existsSync(home.workspace().socket)).toBe(false);
    },
  );

  slowTest(
    'start --foreground with a running daemon says so and exits 0; one that cannot start says why',
    async () => {
      const home = Home.open();
      const pid = await home.start();
      const again = await home.memd(['start', '--foreground']);
      expect(again).toMatchObject({ code: 0, stdout: `memd is already running (pid ${pid})\n`, stderr: '' });
      await home.memd(['stop']);
      home.writeConfig('{');
      const failed = await home.memd(['start', '--foreground']);
      expect(failed).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^memd: .+is not valid JSON/),
      });
    },
  );
});

slowSuite('many at once', () => {
  test('fifty simultaneous starts end with exactly one daemon', async () => {
    const home = Home.open();
    const starts = await Promise.all(Array.from({ length: 50 }, () => home.memd(['start'])));
    expect(starts.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      starts.map(() => ({ code: 0, stderr: '' })),
    );
    expect(home.daemons()).toEqual([home.pid()]);
    const started = starts.filter(({ stdout }) => stdout === `memd is running (pid ${home.pid()})\n`);
    expect(started).toHaveLength(1);
    expect(await home.ask({ op: 'ping' })).toEqual({ ok: true });
  });

  test('stops, looks and restarts at once: none fails on another, and one daemon is left', async () => {
    const home = Home.open();
    await home.start();
    await home.memd(['stop']);
    const stops = await Promise.all(Array.from({ length: 8 }, () => home.memd(['stop'])));
    expect(stops.map(({ code, stdout, stderr }) => ({ code, stdout, stderr }))).toEqual(
      Array(8).fill({ code: 0, stdout: 'memd is not running\n', stderr: '' }),
    );
    const looks = await Promise.all(Array.from({ length: 4 }, () => home.memd(['doctor'])));
    expect(looks.map(({ stdout }) => /lives|more than one/.exec(stdout))).toEqual(Array(4).fill(null));
    const restarts = await Promise.all(Array.from({ length: 6 }, () => home.memd(['restart'])));
    expect(restarts.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      Array(6).fill({ code: 0, stderr: '' }),
    );
    await home.oneDaemon();
  });

  test('two namespaces of one project share nothing', async () => {
    const home = Home.open();
    const other = { MEMD_NS: 'other.space-1' };
    await home.start();
    await home.start({ env: other });
    expect(home.daemons()).toHaveLength(2);
    const { socket } = home.workspace(home.project, other);
    expect(await ask(socket, { op: 'capture', tool: 'Read', input: {}, output: 'a' })).toMatchObject({
      ok: true,
    });
    const events = async (env: Record<string, string>) => (await home.info({ env })).counts.events;
    expect([await events({}), await events(other)]).toEqual([0, 1]);
    expect(home.workspace(home.project, other).folder).toBe(
      path.join(home.home, '.memd', 'other.space-1', 'workspaces', home.workspace().key),
    );
  });
});
