import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { closeServers, connect } from '../support/mcp-server.ts';
import { lives } from '../support/processes.ts';
import { run } from '../support/run.ts';
import { until } from '../support/until.ts';

afterEach(async () => {
  await closeServers();
  await closeHomes();
});
afterAll(() => expect(leftBehind()).toEqual([]));

async function sessionStart(home: Home): Promise<string | null> {
  const { code, stdout } = await run(process.execPath, [path.join(dist, 'session-start.cjs')], {
    cwd: home.project,
    env: home.env(),
    input: JSON.stringify({ hook_event_name: 'SessionStart', session_id: 's', source: 'startup' }),
  });
  expect(code).toBe(0);
  if (stdout === '') return null;
  const { systemMessage = null }: { systemMessage?: string | null } = JSON.parse(stdout);
  return systemMessage;
}

describe('a daemon that hangs', () => {
  const hangs = 'daemon: unreachable (it hangs: no answer within 1500 ms). Run `memd restart`.';

  async function hanging(): Promise<Home> {
    const home = await Home.withRaw(3);
    process.kill(await home.start(), 'SIGSTOP');
    return home;
  }

  test('is given up by every command after a ping, which says so', async () => {
    const home = await hanging();
    for (const args of [['search', 'part'], ['recent'], ['show', '1'], ['pin', '1'], ['sessions']]) {
      expect({ args, ...(await home.mem(args)) }).toMatchObject({ args, code: 1, stderr: `mem: ${hangs}\n` });
    }
    for (const args of [['focus'], ['web', '--print']]) {
      expect({ args, ...(await home.memd(args)) }).toMatchObject({
        args,
        code: 1,
        stderr: `memd: ${hangs}\n`,
      });
    }
    fs.rmSync(home.workspace().httpPort);
    expect(await home.memd(['web'])).toMatchObject({ code: 1, stderr: `memd: ${hangs}\n` });
  });

  test('info shows the contents of the database nevertheless', async () => {
    const home = await hanging();
    const info = await home.memd(['info']);
    expect(info.code).toBe(1);
    expect(info.stdout).toMatch(
      /daemon: unreachable\n +It hangs: no answer within 1500 ms\. Run `memd restart`\.\n/,
    );
    expect(info.stdout).toContain('3: 0 summarized, 3 raw');
    const json = await home.memd(['info', '--json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      daemon: { reachable: false },
      counts: { events: 3, raw: 3 },
    });
  });

  test('an assistant’s tool says so', async () => {
    const home = await hanging();
    const { client } = connect(home);
    await client.initialize();
    const { isError, text } = await client.call('mem_search', { query: 'part' });
    expect(isError).toBe(true);
    expect(text).toContain('runs but has not answered within 1.5 s');
  });
});

describe('a daemon whose socket was removed', () => {
  test('makes a new one by itself, and says so in its log', async () => {
    const home = Home.open();
    const pid = await home.start();
    fs.rmSync(home.workspace().socket);
    await until('the new socket', () => fs.existsSync(home.workspace().socket));
    expect(fs.lstatSync(home.workspace().socket).mode & 0o777).toBe(0o600);
    expect(await home.memd(['info'])).toMatchObject({ code: 0 });
    expect(home.pid()).toBe(pid);
    const said = home
      .daemonLog()
      .filter(({ msg }) => msg === 'the socket had been removed; the daemon made a new one');
    expect(said).toHaveLength(1);
    expect(await home.memd(['stop'])).toMatchObject({ code: 0 });
    expect(fs.existsSync(home.workspace().socket)).toBe(false);
  });

  test('is waited for by start', async () => {
    const home = Home.open();
    const pid = await home.start();
    fs.rmSync(home.workspace().socket);
    expect(await home.memd(['start'])).toMatchObject({
      code: 0,
      stdout: `memd is already running (pid ${pid})\n`,
    });
  });

  test('is ended and started again by the start of a session, once for all that begin', async () => {
    const home = Home.open();
    const before = await home.start();
    fs.rmSync(home.workspace().socket);
    const lines = await Promise.all([sessionStart(home), sessionStart(home), sessionStart(home)]);
    expect(lines.filter((line) => line !== null)).toEqual(
      process.platform === 'linux'
        ? ['memd: the daemon had lost its socket and was restarted. Your data is safe.']
        : [],
    );
    if (process.platform === 'linux') expect(lives(before)).toBe(false);
    await home.oneDaemon();
    expect(await home.ask({ op: 'ping' })).toEqual({ ok: true });
  });

  test('and that hangs as well is reported by start, ended by restart, and by the start of a session', async () => {
    const home = Home.open();
    const lose = async (): Promise<number> => {
      const pid = await home.start();
      process.kill(pid, 'SIGSTOP');
      fs.rmSync(home.workspace().socket);
      return pid;
    };
    const first = await lose();
    const { code, stderr } = await home.memd(['start']);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `the daemon (pid ${first}) runs, but its socket ${home.workspace().socket} does not exist`,
    );
    expect(stderr).toContain('Run `memd restart`.');
    expect(await home.memd(['restart'])).toMatchObject({ code: 0 });
    expect(lives(first)).toBe(false);
    await home.memd(['stop']);
    if (process.platform !== 'linux') return;
    const second = await lose();
    expect(await sessionStart(home)).toMatch(/^memd: the daemon had lost its socket and was restarted\. /);
    expect(lives(second)).toBe(false);
    await home.oneDaemon();
  });
});
