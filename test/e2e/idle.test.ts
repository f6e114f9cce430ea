import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { startModelServer } from '../model-server.ts';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { closeServers, connect } from '../support/mcp-server.ts';
import { end, lives } from '../support/processes.ts';
import { type Ran, run } from '../support/run.ts';
import { until } from '../support/until.ts';
import { Wire } from '../support/wire.ts';

afterEach(async () => {
  await closeServers();
  await closeHomes();
});
afterAll(() => expect(leftBehind()).toEqual([]));

const builtin = { MEMD_DRAIN_BACKEND: 'builtin' };

/** A home with one memory, whose daemon has left because it was idle. The next one stays. */
async function leftIdle(): Promise<Home> {
  const home = await Home.withRaw(1, { env: builtin });
  expect(await home.memd(['drain'])).toMatchObject({ code: 0 });
  home.configure({ idleMinutes: 0.02 });
  const pid = await home.start();
  await until('the idle daemon to leave', () => !lives(pid));
  home.configure({ idleMinutes: 0, 'drain.tickMs': 500 });
  return home;
}

const call = (id: string): JsonObject => ({
  tool: 'Read',
  input: { file_path: `src/${id}.ts` },
  output: `text of ${id}`,
  toolUseId: id,
});

function guard(home: Home): Promise<Ran> {
  const payload = {
    ...{ hook_event_name: 'PreToolUse', session_id: 's', cwd: home.project, tool_use_id: 't' },
    ...{ tool_name: 'Bash', tool_input: { command: 'ls' } },
  };
  return run(process.execPath, [path.join(dist, 'guard.cjs'), '--mode', 'block'], {
    cwd: home.project,
    env: home.env(),
    input: JSON.stringify(payload),
  });
}

/** How often a daemon of this home has begun to serve. */
const starts = (home: Home): number => home.daemonLog().filter(({ msg }) => msg === 'started').length;

const stored = (home: Home): string[] =>
  home.rows('SELECT tool_use_id AS id FROM events ORDER BY id').map(({ id }) => String(id));

async function answers(home: Home): Promise<void> {
  await until('the daemon to answer', () => home.ask({ op: 'ping' }).catch(() => null));
  await home.oneDaemon();
}

const marks = (home: Home): string[] => {
  const { idle, waking } = home.workspace();
  return [idle, waking].filter((file) => fs.existsSync(file)).map((file) => path.basename(file));
};

describe('a daemon that left because it was idle', () => {
  test('leaves a mark that only its user can read, and doctor knows it for what it is', async () => {
    const home = await leftIdle();
    expect(marks(home)).toEqual(['run.idle']);
    expect(fs.statSync(home.workspace().idle).mode & 0o777).toBe(0o600);
    const { stdout } = await home.memd(['doctor']);
    expect(stdout).toContain('the next call or command starts it');
    expect(stdout).not.toContain('run.idle');
    // Those who only look bring nothing back.
    expect(await home.memd(['info'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('daemon: unreachable'),
    });
    await home.memd(['monitor', '--once']);
    await home.memd(['logs']);
    expect(home.daemons()).toEqual([]);
  });

  test.each(['capture-observation.mjs', 'capture-observation.cjs'])(
    'is brought back by a captured call, which is stored (%s)',
    async (script) => {
      const home = await leftIdle();
      const ran = await run(process.execPath, [path.join(dist, script)], {
        cwd: home.project,
        env: home.env({ CLAUDE_CODE_MESSAGING_TOKEN: 'said-to-nobody', ANTHROPIC_X: 'y' }),
        input: JSON.stringify(call('woke')),
      });
      expect(ran).toMatchObject({ code: 0, stdout: '' });
      expect(ran.stderr).toContain('queued in the spool. The idle daemon starts again and stores it');
      await answers(home);
      await until('the call', () => stored(home).includes('woke'));
      const environment = `/proc/${home.pid()}/environ`;
      if (fs.existsSync(environment))
        expect(fs.readFileSync(environment, 'utf8')).not.toMatch(/said-to-nobody|ANTHROPIC_X/);
    },
  );

  test('is brought back once by thirty captures at the same time, and each is stored once', async () => {
    const home = await leftIdle();
    const ids = Array.from({ length: 30 }, (_, at) => `many-${String(at).padStart(2, '0')}`);
    const ran = await Promise.all(ids.map((id) => home.hook(call(id))));
    expect(ran.map(({ code }) => code)).toEqual(ids.map(() => 0));
    const lost = ran.filter(
      ({ stdout, stderr }) => stdout !== '{"ok":true}\n' && !stderr.includes('queued in the spool'),
    );
    expect(lost).toEqual([]);
    await answers(home);
    await until('all calls', () => stored(home).length > ids.length);
    expect(stored(home)).toEqual(['call-0', ...ids]);
    // The first to make the memory, the one that left, and the one that was brought back.
    expect(starts(home)).toBe(3);
  });

  test('is brought back without a capture that has the spool turned off', async () => {
    const home = await leftIdle();
    home.configure({ idleMinutes: 0, captureSpool: false });
    expect((await home.hook(call('lost'))).stderr).toContain('captureSpool is off');
    await answers(home);
    expect((await home.hook(call('kept'))).stdout).toBe('{"ok":true}\n');
  });

  test('is brought back by the guard, which blocks neither that call nor parallel ones', async () => {
    const home = await leftIdle();
    const first = await guard(home);
    expect(first).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const others = await Promise.all(Array.from({ length: 4 }, () => guard(home)));
    expect(others).toEqual(others.map(() => expect.objectContaining({ code: 0, stdout: '', stderr: '' })));
    await answers(home);
  });

  test.each([
    ['mem search', ['search', 'part'], /part-0/],
    ['mem recent', ['recent'], /part-0/],
    ['mem show', ['show', '1'], /part-0/],
    ['mem pin', ['pin', '1'], /pinned/],
    ['mem sessions', ['sessions', '--json'], /"sessions"/],
  ] as const)('is brought back by `%s`, which answers', async (_name, args, answer) => {
    const home = await leftIdle();
    const ran = await home.mem(args);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(answer), stderr: '' });
    await answers(home);
  });

  test('is brought back by commands at once with a capture, and there is one', async () => {
    const home = await leftIdle();
    const [hook, ...ran] = await Promise.all([
      home.hook(call('parallel')),
      home.mem(['search', 'part']),
      home.memd(['web', '--print']),
      home.memd(['focus']),
    ]);
    expect(hook.code).toBe(0);
    expect(ran.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      ran.map(() => ({ code: 0, stderr: '' })),
    );
    await until('the call', () => stored(home).includes('parallel'));
    await home.oneDaemon();
    expect(starts(home)).toBe(3);
  });

  test('is brought back by an assistant’s tools', async () => {
    const home = await leftIdle();
    const { client } = connect(home);
    await client.initialize();
    const both = await Promise.all([
      client.call('mem_search', { query: 'part' }),
      client.call('mem_get', { ids: [1] }),
    ]);
    expect(both.map(({ isError }) => isError)).toEqual([false, false]);
    expect(both[0]?.text).toContain('part-0');
    await answers(home);
  });

  test('and whose next start fails is tried once, and its calls wait', async () => {
    const home = await leftIdle();
    home.writeConfig('{');
    expect((await home.hook(call('first'))).code).toBe(0);
    await until('the failed start', () => marks(home).length === 0);
    const failures = () => home.daemonLog().filter(({ msg }) => msg === 'start failed').length;
    expect(failures()).toBe(1);
    expect((await home.hook(call('second'))).stderr).toContain('queued in the spool');
    expect((await guard(home)).stdout).toContain('"deny"');
    expect((await home.mem(['search', 'part'])).stderr).toContain('daemon: unreachable');
    await until('the end of the refused daemon', () => home.daemons().length === 0);
    expect(failures()).toBe(1);
    home.configure({ idleMinutes: 0 });
    await home.start();
    expect(stored(home)).toEqual(['call-0', 'first', 'second']);
  });
});

describe('a daemon that is at work', () => {
  test('does not leave for being idle before it has answered, however long that takes', async () => {
    const model = await startModelServer();
    try {
      const home = await Home.withRaw(1, { env: { LOCALLLM_HOST: model.url } });
      // Far longer than the daemon may be idle, and than one that ends waits for what is under way.
      model.fail('chat', { kind: 'delay', delayMs: 5_000 }, 1);
      home.configure({ idleMinutes: 0.01, 'drain.tickMs': 600_000 });
      const pid = await home.start();
      expect(await home.ask({ op: 'drain' })).toMatchObject({ ok: true, processed: 1 });
      expect(lives(pid)).toBe(true);
      await until('the idle daemon to leave', () => !lives(pid));
    } finally {
      await model.close();
    }
  });

  test('is not kept by somebody who only looks on', async () => {
    const home = Home.open();
    home.configure({ idleMinutes: 0.01 });
    const pid = await home.start();
    const wire = await Wire.open(home.workspace().socket);
    wire.send('{"op":"subscribe"}\n');
    expect(await wire.reply()).toHaveProperty('counts');
    await until('the idle daemon to leave', () => !lives(pid));
    wire.close();
  });
});

describe('a daemon that is away for another reason', () => {
  /** Everything that would bring an idle one back. */
  async function allKnock(home: Home): Promise<void> {
    const { client } = connect(home);
    await client.initialize();
    const hook = await home.hook(call('knock'));
    expect(hook.stderr).toContain('queued in the spool. The next start stores it');
    expect((await guard(home)).stdout).toContain('"deny"');
    expect(await home.mem(['search', 'part'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('daemon: unreachable'),
    });
    expect((await home.memd(['web', '--print'])).stderr).toContain('web bridge not active yet');
    expect(await client.call('mem_search', { query: 'part' })).toMatchObject({ isError: true });
    expect(home.daemons()).toEqual([]);
    expect(marks(home)).toEqual([]);
  }

  test('stopped while it ran: nothing starts it', async () => {
    const home = await Home.withRaw(1);
    await allKnock(home);
  });

  test('stopped after it had left by itself: nothing starts it', async () => {
    const home = await leftIdle();
    expect(await home.memd(['stop'])).toMatchObject({ code: 0, stdout: 'memd is not running\n' });
    await allKnock(home);
  });

  test('brought back and then stopped: nothing starts it', async () => {
    const home = await leftIdle();
    await home.hook(call('woke'));
    await answers(home);
    await home.memd(['stop']);
    await allKnock(home);
  });

  test('killed: nothing but a start or a session starts it', async () => {
    const home = await Home.withRaw(1);
    await end(await home.start(), 'SIGKILL');
    await allKnock(home);
    await home.start();
    expect(stored(home)).toEqual(['call-0', 'knock']);
  });

  test('ended by a signal: nothing starts it', async () => {
    const home = await Home.withRaw(1);
    await end(await home.start(), 'SIGTERM');
    await allKnock(home);
  });
});
