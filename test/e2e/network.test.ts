import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../model-server.ts';
import { closeHomes, dist, Home, leftBehind, nobodyPort } from '../support/home.ts';
import { withoutNetwork } from '../support/isolation.ts';
import { run } from '../support/run.ts';
import { wholeSession } from '../support/whole-session.ts';

const servers: ModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  await closeHomes();
});
afterAll(() => expect(leftBehind()).toEqual([]));

const recorder = fileURLToPath(new URL('../support/socket-recorder.cjs', import.meta.url));
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

/** Some sixty processes one after the other: 5 s on a machine that does nothing else. */
const sessionMs = 240_000;

/** Set in the runs of this file that other tests of it start: those run the session alone. */
const inside = process.env.MEMD_NETWORK_INSIDE;

interface Noted {
  readonly kind: 'loaded' | 'connect' | 'listen' | 'datagram' | 'name' | 'program';
  readonly target: string;
  readonly script: string;
  readonly threadId: number;
}

function notedIn(record: string): Noted[] {
  return fs
    .readFileSync(record, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('a whole session speaks to sockets of its own home and to the configured model, and to nobody else', {
  timeout: sessionMs,
}, async () => {
  // Short, so that no socket's path has to be reached in another way.
  const home = Home.open({ name: 'h', config: { 'drain.tickMs': 600_000 } });
  const model = await startModelServer();
  servers.push(model);
  const record = path.join(home.folder, 'sockets.ndjson');
  const address = `127.0.0.1:${model.port}`;
  const port = await freePort();
  await wholeSession(home, {
    LOCALLLM_HOST: address,
    MEMD_HTTP_PORT: String(port),
    MEMD_SOCKET_RECORD: record,
    NODE_OPTIONS: `--require=${recorder}`,
  });
  expect(model.requestsTo('chat').length).toBeGreaterThan(0);
  expect(model.requestsTo('embed').length).toBeGreaterThan(0);

  const noted = notedIn(record);
  const targets = (kind: Noted['kind']): string[] => [
    ...new Set(noted.filter((one) => one.kind === kind).map(({ target }) => target)),
  ];
  const isOwn = (target: string): boolean => target.startsWith(`${home.home}${path.sep}`);
  // The recorder was in every process and thread, or what follows says nothing.
  const threads = noted.filter(({ kind, threadId }) => kind === 'loaded' && threadId > 0);
  expect([...new Set(threads.map(({ script }) => script))].sort()).toEqual([
    'backfill.cjs',
    'bridge.cjs',
    'capture.cjs',
    'engine.cjs',
  ]);
  expect(targets('loaded')).toEqual(
    expect.arrayContaining(['memd.cjs', 'mem.cjs', 'daemon.cjs', 'session-start.cjs', 'recall.cjs']),
  );
  const connected = targets('connect');
  expect(connected).toContain(address);
  expect(connected.filter((target) => !isOwn(target) && target !== address)).toEqual([]);
  expect(targets('listen').filter((target) => !isOwn(target))).toEqual([`127.0.0.1:${port}`]);
  // Also an address that needs no asking goes through `lookup`.
  expect(targets('name').filter((name) => name !== '127.0.0.1')).toEqual([]);
  expect(targets('datagram')).toEqual([]);
  const programs = targets('program').map((program) => path.basename(program));
  // A shell holds what a hook could not give to the daemon, until Node has started.
  // An export asks git whose memory it is.
  const own = [path.basename(process.execPath), 'ps', 'sh', 'git'];
  expect(programs.filter((name) => !own.includes(name))).toEqual([]);
  // Without a network this is what it was.
  if (inside === 'isolated') expect(Object.keys(os.networkInterfaces())).toEqual(['lo']);
});

/** What a program could do behind our back, in each of the ways it may be built. */
const outward = {
  'a.cjs': `
    const { Worker } = require('node:worker_threads');
    require('node:dns').lookup('a.invalid', () => {});
    require('node:dgram').createSocket('udp4').unref().send('x', 9, '127.0.0.1');
    require('node:https').get('https://127.0.0.1:9/').on('error', () => {});
    new Worker(require.resolve('./b.mjs'));`,
  'b.mjs': `
    import { connect } from 'node:net';
    import { lookup } from 'node:dns/promises';
    import { spawn, spawnSync } from 'node:child_process';
    connect(10, '127.0.0.1').on('error', () => {});
    lookup('b.invalid').catch(() => {});
    spawn('no-such-program').on('error', () => {});
    spawnSync('no-such-program-either');
    fetch('http://127.0.0.1:${nobodyPort}/').catch(() => {});`,
};

test.skipIf(inside !== undefined)(
  'the recorder sees what a process or a thread of it contacts, in any way',
  async () => {
    const home = Home.open();
    for (const [name, text] of Object.entries(outward)) fs.writeFileSync(path.join(home.folder, name), text);
    const record = path.join(home.folder, 'sockets.ndjson');
    const env = home.env({ MEMD_SOCKET_RECORD: record, NODE_OPTIONS: `--require=${recorder}` });
    await run(process.execPath, [path.join(home.folder, 'a.cjs')], { cwd: home.folder, env });
    const seen = notedIn(record).map(({ kind, target, script }) => `${script} ${kind} ${target}`);
    expect(seen).toEqual(
      expect.arrayContaining([
        'a.cjs name a.invalid',
        'a.cjs datagram 9 127.0.0.1',
        'a.cjs connect 127.0.0.1:9',
        'b.mjs connect 127.0.0.1:10',
        `b.mjs connect 127.0.0.1:${nobodyPort}`,
        'b.mjs name b.invalid',
        'b.mjs program no-such-program',
        'b.mjs program no-such-program-either',
      ]),
    );
  },
);

/** Runs the session above once more, behind `prefix`. */
async function sessionBehind(prefix: readonly [string, ...string[]], how: string) {
  const [command, ...args] = prefix;
  const file = fileURLToPath(import.meta.url);
  const { PATH = '', HOME = '' } = process.env;
  return await run(
    command,
    [...args, process.execPath, vitest, 'run', '--project', 'e2e', file, '-t', 'a whole session speaks'],
    {
      cwd: path.dirname(path.dirname(path.dirname(file))),
      env: { PATH, HOME, MEMD_DIST: dist, MEMD_NETWORK_INSIDE: how, NO_COLOR: '1' },
      endsWithinMs: sessionMs,
    },
  );
}

const prefix = inside === undefined ? withoutNetwork() : null;
if (inside === undefined && prefix === null)
  console.log('no network namespace on this system: the session is not run without a network');

test.skipIf(prefix === null)(
  'where there is no network at all it goes just so',
  { timeout: sessionMs },
  async () => {
    if (prefix === null) return;
    const { code, stdout, stderr } = await sessionBehind(prefix, 'isolated');
    expect({ code, errors: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, errors: '' });
    expect(stdout).toMatch(/1 passed/);
  },
);

/** Slow: `MEMD_NETWORK_STRACE=1 npx vitest run --project e2e test/e2e/network.test.ts`. */
const canTrace =
  inside === undefined &&
  process.env.MEMD_NETWORK_STRACE !== undefined &&
  spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;

describe.skipIf(!canTrace)('under strace', () => {
  test('the kernel sees no other address than the loopback, of any process', {
    timeout: 2 * sessionMs,
  }, async () => {
    const trace = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-network-')), 'trace');
    try {
      const calls = ['-e', 'trace=connect,sendto,sendmsg,sendmmsg', '-o', trace];
      const { code, stdout, stderr } = await sessionBehind(['strace', '-f', '-qq', ...calls], 'traced');
      expect({ code, errors: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, errors: '' });
      const lines = fs.readFileSync(trace, 'utf8').split('\n');
      const unix = lines.filter((line) => line.includes('AF_UNIX'));
      const others = lines.filter((line) => /sa_family=AF_(?!UNIX)/.test(line));
      expect(unix.length).toBeGreaterThan(10);
      expect(others.length).toBeGreaterThan(0);
      expect(others.filter((line) => !/AF_INET, .*inet_addr\("127\.0\.0\.1"\)/.test(line))).toEqual([]);
    } finally {
      fs.rmSync(path.dirname(trace), { recursive: true, force: true });
    }
  });
});

/** A port of the loopback that is free now. */
async function freePort(): Promise<number> {
  const server = await startModelServer();
  await server.close();
  return server.port;
}
