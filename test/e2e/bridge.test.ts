import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { end } from '../support/processes.ts';
import { slowSuite, slowTest } from '../support/slow.ts';
import { until } from '../support/until.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const tokenFile = (home: Home): string => path.join(home.home, '.memd/auth.token');
const tokenOf = (home: Home): string => fs.readFileSync(tokenFile(home), 'utf8');
const modeOf = (file: string): number => fs.statSync(file).mode & 0o777;

/** The bridge's address as its port file has it. */
const baseOf = (home: Home, workspace = home.workspace()): string =>
  `http://127.0.0.1:${fs.readFileSync(workspace.httpPort, 'utf8').trim()}`;

interface Body {
  readonly counts: { readonly events: number; readonly summaries: number };
  readonly summaries: readonly { readonly id: number; readonly text: string }[];
  readonly hits: readonly { readonly id: number }[];
  readonly token: string;
  readonly rrf: { readonly score: number };
  readonly error: { readonly code: string };
}

interface Asking {
  readonly bearer?: string;
  readonly method?: string;
  readonly body?: string;
}

async function ask(home: Home, target: string, { bearer = tokenOf(home), ...init }: Asking = {}) {
  const response = await fetch(baseOf(home) + target, {
    ...init,
    headers: { authorization: `Bearer ${bearer}` },
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const body: Body = isJson && text !== '' ? JSON.parse(text) : {};
  return { status: response.status, body, text };
}

/** A home with a running daemon and `count` memories. */
async function withMemories(count: number, env: Record<string, string> = {}): Promise<Home> {
  const home = Home.open({ env, config: { 'drain.fallback': 'builtin', 'drain.tickMs': 600_000 } });
  await home.start();
  for (let at = 0; at < count; at += 1) {
    const input = { file_path: `src/part-${at}.ts` };
    await home.capture({
      tool: 'Read',
      input,
      output: `the text of part ${at}`,
      toolUseId: `call-${at}`,
      sessionId: 's',
    });
  }
  const { code, stderr } = await home.memd(['drain']);
  if (code !== 0) throw new Error(stderr);
  return home;
}

describe('with a token', () => {
  test('the bridge gives the same as the commands', async () => {
    const home = await withMemories(3);
    const { stdout } = await home.memd(['info', '--json']);
    const info = JSON.parse(stdout);
    expect(info.http).toEqual({ url: baseOf(home) });
    const status = JSON.parse((await ask(home, '/api/status')).text);
    expect({ ...status, daemon: null, counters: null }).toEqual({ ...info, daemon: null, counters: null });
    const { body: listed } = await ask(home, '/api/summaries');
    const recent = JSON.parse((await home.mem(['recent', '--json'])).stdout);
    expect(listed.summaries).toMatchObject(recent.summaries ?? recent);
    const search = { method: 'POST', body: '{"query":"part-1","asOf":"2026-01-01"}' };
    const { body: found } = await ask(home, '/api/search', search);
    expect(found.hits).toEqual((await home.ask({ op: 'search', query: 'part-1', asOf: '2026-01-01' })).hits);
    const id = found.hits[0]?.id ?? 0;
    const why = { method: 'POST', body: JSON.stringify({ query: 'part-1', id }) };
    expect((await ask(home, '/api/why', why)).body).toMatchObject({ id, rrf: { rank: 1 } });
    expect((await ask(home, '/api/why', { ...why, body: '{"query":"x","id":99}' })).status).toBe(404);
    expect((await ask(home, '/api/search', { ...why, body: '{"query":1}' })).status).toBe(400);
    expect(
      (await ask(home, '/api/search', { ...why, body: '{"op":"forget","query":"q","id":1}' })).status,
    ).toBe(200);
    expect((await ask(home, '/api/status')).body.counts).toMatchObject({ events: 3, summaries: 3 });
  });

  test('what was acknowledged a moment ago is there', async () => {
    const home = await withMemories(0);
    for (let at = 1; at <= 5; at += 1) {
      await home.capture({ tool: 'Read', input: { file_path: `f${at}` }, output: 'x', toolUseId: `c${at}` });
      expect((await ask(home, '/api/status')).body.counts.events).toBe(at);
    }
  });

  slowTest('no request of any kind changes a byte of the database', async () => {
    const home = await withMemories(5);
    const { folder } = home.workspace();
    const bytes = () =>
      ['db.sqlite', 'db.sqlite-wal', 'wal.ndjson'].map((name) =>
        createHash('sha256')
          .update(fs.readFileSync(path.join(folder, name)))
          .digest('hex'),
      );
    await ask(home, '/api/search', { method: 'POST', body: '{"query":"part"}' });
    const before = bytes();
    const reads = ['status', 'summaries', 'summaries/1', 'tools', 'sessions', 'graph?id=1'];
    const writes = [
      'forget',
      'pin',
      'prune',
      'focus',
      'drain',
      'import',
      'capture',
      'summaries/1',
      'unlock',
      'shutdown',
    ];
    for (const name of [...reads, ...writes, 'search', 'why']) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const body = ['GET', 'HEAD'].includes(method)
          ? {}
          : { body: '{"query":"part 1","id":1,"text":"x","confirm":true}' };
        await ask(home, `/api/${name}`, { method, ...body });
      }
    }
    expect(bytes()).toEqual(before);
    expect((await ask(home, '/api/status')).body.counts).toMatchObject({ events: 5, summaries: 5 });
  });

  slowTest('what is forgotten leaves no byte, though the bridge has read it', async () => {
    const home = await withMemories(2);
    await ask(home, '/api/summaries/1');
    await ask(home, '/api/summaries');
    expect(await home.ask({ op: 'forget', id: 1 })).toMatchObject({ ok: true });
    expect((await ask(home, '/api/summaries/1')).status).toBe(404);
    const { folder } = home.workspace();
    const holding = fs
      .readdirSync(folder)
      .filter((name) => fs.lstatSync(path.join(folder, name)).isFile())
      .filter((name) => fs.readFileSync(path.join(folder, name)).includes('the text of part 0'));
    expect(holding).toEqual([]);
  });

  test('the stream reports captures as they arrive', async () => {
    const home = await withMemories(1);
    const stop = new AbortController();
    const response = await fetch(`${baseOf(home)}/api/stream`, {
      headers: { authorization: `Bearer ${tokenOf(home)}` },
      signal: stop.signal,
    });
    const reader = response.body?.getReader();
    if (reader === undefined) throw new Error('no stream');
    let text = '';
    const hear = (what: string) =>
      until(what, async () => {
        text += Buffer.from((await reader.read()).value ?? []).toString();
        return text.includes(what);
      });
    await hear('"events":1,');
    await home.capture({ tool: 'Read', input: { file_path: 'f' }, output: 'x', toolUseId: 'another' });
    await hear('"events":2,');
    expect(text).toMatch(
      /^event: counts\ndata: \{"counts":\{.*"counters":\{.*"backends":\{.*"usage":\[.*"warnings":\[/m,
    );
    stop.abort();
  });

  slowTest('the daemon stops in order while a stream is open and a client hangs', async () => {
    const home = await withMemories(1);
    const pid = home.pid();
    const headers = { authorization: `Bearer ${tokenOf(home)}` };
    const response = await fetch(`${baseOf(home)}/api/stream`, { headers });
    const ended = response.text().catch(() => '');
    expect((await home.memd(['stop'])).stdout).toContain(`stopped (pid ${pid})`);
    await ended;
    expect(fs.readdirSync(home.workspace().folder)).not.toContain('http.port');
    expect(fs.readdirSync(home.workspace().folder)).not.toContain('db.sqlite-wal');
  });

  slowTest('the daemon stops in order with a folder at the place of its port file', async () => {
    const home = await withMemories(1);
    const { httpPort, folder } = home.workspace();
    fs.rmSync(httpPort);
    fs.mkdirSync(httpPort);
    expect(await home.memd(['stop'])).toMatchObject({ code: 0 });
    // What a daemon leaves that ends early.
    expect(fs.readdirSync(folder)).not.toContain('run.pid');
    expect((await home.memd(['start'])).stderr).toContain(httpPort);
    fs.rmdirSync(httpPort);
  });
});

slowSuite('the token', () => {
  test('removed or replaced while the daemon runs is found by doctor, with the repair', async () => {
    const home = await withMemories(0);
    const doctor = async (): Promise<string[]> => {
      const lines = (await home.memd(['doctor'])).stdout.split('\n');
      return lines.filter((line) => / token: /.test(line));
    };
    expect(await doctor()).toEqual([]);
    fs.rmSync(tokenFile(home));
    expect(await doctor()).toEqual([expect.stringMatching(/^warning .*is missing.*`memd restart`/)]);
    fs.writeFileSync(tokenFile(home), '7'.repeat(64), { mode: 0o600 });
    const replaced = /was replaced while the daemon runs.*remove .*auth\.token and run `memd restart`/;
    expect(await doctor()).toEqual([expect.stringMatching(replaced)]);
    expect((await home.info()).warnings).toEqual([expect.stringMatching(replaced)]);
    fs.rmSync(tokenFile(home));
    await home.memd(['restart']);
    expect([await doctor(), tokenOf(home) === '7'.repeat(64)]).toEqual([[], false]);
  });

  test('is 64 hexadecimal characters, 0600, and made again by delete and restart', async () => {
    const home = await withMemories(1);
    const former = tokenOf(home);
    expect(former).toMatch(/^[0-9a-f]{64}$/);
    expect([modeOf(tokenFile(home)), modeOf(home.workspace().httpPort)]).toEqual([0o600, 0o600]);
    await home.memd(['restart']);
    expect(tokenOf(home)).toBe(former);
    fs.rmSync(tokenFile(home));
    // It is cached: until the restart nothing changes.
    expect((await ask(home, '/api/status', { bearer: former })).status).toBe(200);
    await home.memd(['restart']);
    expect(tokenOf(home)).not.toBe(former);
    expect((await ask(home, '/api/status', { bearer: former })).status).toBe(401);
    expect((await ask(home, '/api/status')).status).toBe(200);
  });

  test('is one, however many daemons make it at once', async () => {
    const home = Home.open();
    const projects = Array.from({ length: 20 }, (_, at) => path.join(home.folder, `project-${at}`));
    for (const project of projects) fs.mkdirSync(project);
    await Promise.all(projects.map((cwd) => home.start({ cwd })));
    const headers = { authorization: `Bearer ${tokenOf(home)}` };
    const bases = projects.map((cwd) => baseOf(home, home.workspace(cwd)));
    expect(new Set(bases).size).toBe(20);
    for (const base of bases) expect((await fetch(`${base}/api/status`, { headers })).status).toBe(200);
    const files = fs.readdirSync(path.join(home.home, '.memd')).filter((name) => name.startsWith('auth'));
    expect(files).toEqual(['auth.token']);
  });

  test.each([
    ['of a loose mode', (file: string) => fs.chmodSync(file, 0o644), 'is open to other users (mode 0644)'],
    [
      'that is a link',
      (file: string) => {
        fs.renameSync(file, `${file}.real`);
        fs.symlinkSync(`${file}.real`, file);
      },
      'is a symbolic link',
    ],
    ['that is no token', (file: string) => fs.writeFileSync(file, 'secret'), 'does not hold a token'],
  ])('%s keeps the bridge down and nothing else, and is named', async (_name, spoil, words) => {
    const home = await withMemories(1);
    await home.memd(['stop']);
    spoil(tokenFile(home));
    const { code, stderr } = await home.memd(['start']);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`${tokenFile(home)} ${words}`)]);
    const info = await home.info();
    expect(info.daemon.reachable).toBe(true);
    expect(info.http).toBeNull();
    expect(info.warnings).toEqual([expect.stringContaining(`${tokenFile(home)} ${words}`)]);
    expect(await home.capture({ tool: 'Read', input: { file_path: 'f' }, output: 'x' })).toMatch(/./);
    const web = await home.memd(['web', '--print']);
    expect([web.code, web.stderr]).toEqual([1, expect.stringContaining('web bridge not active yet')]);
    expect(fs.existsSync(home.workspace().httpPort)).toBe(false);
    expect((await home.memd(['doctor'])).stdout).toContain(tokenFile(home));
  });

  test('cannot be taken for a namespace', async () => {
    const home = Home.open({ config: null });
    const { code, stderr } = await home.memd(['start'], { env: { MEMD_NS: 'auth.token' } });
    expect([code, stderr]).toEqual([1, expect.stringContaining('token file')]);
  });
});

slowSuite('the port', () => {
  test('is the one of MEMD_HTTP_PORT, or else another with a warning', async () => {
    const taken = createServer();
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => {
        const address = taken.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    const home = Home.open({ env: { MEMD_HTTP_PORT: String(port) } });
    await home.start();
    expect(baseOf(home)).not.toBe(`http://127.0.0.1:${port}`);
    expect((await home.info()).warnings).toEqual([expect.stringContaining(`port ${port} is in use`)]);
    expect((await ask(home, '/api/status')).status).toBe(200);
    await new Promise((resolve) => taken.close(resolve));
    await home.memd(['restart']);
    expect(baseOf(home)).toBe(`http://127.0.0.1:${port}`);
    expect((await home.info()).warnings).toEqual([]);
  });

  test.each(['abc', '-1', '65536', '80.5', '0x50'])('MEMD_HTTP_PORT=%s is refused in words', async (port) => {
    const { code, stderr } = await Home.open().memd(['start'], { env: { MEMD_HTTP_PORT: port } });
    expect([code, stderr]).toEqual([1, expect.stringContaining('MEMD_HTTP_PORT')]);
  });

  test('with MEMD_NO_HTTP=1 there is none, nor a token', async () => {
    const home = Home.open({ env: { MEMD_NO_HTTP: '1' } });
    await home.start();
    expect((await home.info()).http).toBeNull();
    expect((await home.info()).warnings).toEqual([]);
    expect(fs.existsSync(tokenFile(home))).toBe(false);
    const { code, stdout, stderr } = await home.memd(['web']);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('web bridge not active yet')]);
  });
});

slowSuite('memd web', () => {
  test.each([
    ['below ~/.memd', (home: Home) => home.workspace().folder, () => {}],
    ['in HOME where snaps are', (home: Home) => home.home, (home: Home) => fs.mkdirSync(`${home.home}/snap`)],
  ])(
    'opens the browser with a file %s: its code works once, and no argument holds it',
    async (_where, folderOf, prepare) => {
      const home = await withMemories(1);
      prepare(home);
      const seen = path.join(home.folder, 'seen');
      const browser = path.join(home.folder, 'browser');
      fs.writeFileSync(
        browser,
        `#!/bin/sh\nprintf '%s\\n' "$@" > '${seen}.tmp' && mv '${seen}.tmp' '${seen}'\n`,
        { mode: 0o755 },
      );
      const web = home.memd(['web'], { env: { BROWSER: `${browser} --new %s` } });
      await until('the browser', async () => fs.existsSync(seen));
      const [flag, address = ''] = fs.readFileSync(seen, 'utf8').split('\n');
      const file = fileURLToPath(address);
      expect([flag, path.dirname(file), modeOf(file)]).toEqual(['--new', folderOf(home), 0o600]);
      const [, bearer = ''] = /#code=([0-9a-f]{64})/.exec(fs.readFileSync(file, 'utf8')) ?? [];
      expect(address).not.toContain(bearer);
      const unlock = () => ask(home, '/api/unlock', { method: 'POST', bearer });
      const token = tokenOf(home);
      expect((await unlock()).body.token).toBe(token);
      expect(await web).toMatchObject({ code: 0, stdout: `${baseOf(home)}/\n`, stderr: '' });
      expect(fs.existsSync(file)).toBe(false);
      const log = fs.readFileSync(home.workspace().daemonLog, 'utf8');
      expect(log.includes(bearer) || log.includes(token)).toBe(false);
    },
  );

  test('says that a code was used twice, on every way, and the former token opens no page of this user', async () => {
    const home = await withMemories(1);
    const other = path.join(home.folder, 'other');
    fs.mkdirSync(other);
    await home.start({ cwd: other });
    const former = tokenOf(home);
    const [, bearer = ''] = (await home.memd(['web', '--print'])).stdout.trim().split('#code=');
    const traded = await ask(home, '/api/unlock', { method: 'POST', bearer });
    const again = await ask(home, '/api/unlock', { method: 'POST', bearer });
    expect([traded.body.token, again.status, again.body.error.code]).toEqual([former, 401, 'code_used']);
    for (const base of [baseOf(home), baseOf(home, home.workspace(other))]) {
      const statusWith = async (token: string) =>
        (await fetch(`${base}/api/status`, { headers: { authorization: `Bearer ${token}` } })).status;
      expect([await statusWith(former), await statusWith(tokenOf(home))]).toEqual([401, 200]);
    }
    const words = 'a one-time code was used twice';
    expect((await home.info()).warnings).toEqual([expect.stringContaining(words)]);
    expect((await home.memd(['doctor'])).stdout).toContain(words);
    expect((await home.memd(['web', '--print'])).stderr).toContain(words);
    expect(fs.readFileSync(home.workspace().daemonLog, 'utf8')).toContain(words);
  });

  test('leaves no file behind, however the daemon ends', async () => {
    const home = await withMemories(1);
    const left = () => fs.readdirSync(home.workspace().folder).filter((name) => name.startsWith('memd-web'));
    const open = async () => {
      await home.ask({ op: 'unlock', file: true });
      expect(left()).toHaveLength(1);
    };
    await open();
    await home.memd(['stop']);
    expect(left()).toEqual([]);
    await home.start();
    await open();
    await end(home.pid());
    await home.start();
    expect(left()).toEqual([]);
  });

  test('--print prints the address with a code and opens nothing', async () => {
    const home = await withMemories(1);
    const { code, stdout } = await home.memd(['web', '--print'], { env: { BROWSER: '/bin/false' } });
    const [, bearer = ''] = stdout.trim().split('#code=');
    expect([code, (await ask(home, '/api/unlock', { method: 'POST', bearer })).body.token]).toEqual([
      0,
      tokenOf(home),
    ]);
  });

  test('says so when no browser can be opened', async () => {
    const home = await withMemories(1);
    for (const BROWSER of ['/bin/false', '/nowhere/browser', '/bin/false:/nowhere/browser']) {
      const { code, stdout, stderr } = await home.memd(['web'], { env: { BROWSER } });
      expect([code, stdout, stderr]).toEqual([
        1,
        `${baseOf(home)}/\n`,
        expect.stringContaining('memd web --print'),
      ]);
    }
  });

  test('fails in the words of the specification without a daemon, and with the files of a killed one', async () => {
    const home = Home.open();
    const words = expect.stringContaining('web bridge not active yet');
    expect(await home.memd(['web'])).toMatchObject({ code: 1, stdout: '', stderr: words });
    await home.start();
    await end(home.pid());
    expect(fs.existsSync(home.workspace().httpPort)).toBe(true);
    expect(await home.memd(['web'])).toMatchObject({ code: 1, stdout: '', stderr: words });
  });
});

slowTest('captures are answered while clients of the bridge flood it and hang', async () => {
  const home = await withMemories(1);
  const stop = new AbortController();
  const flood = async (target: string, init: RequestInit): Promise<void> => {
    while (!stop.signal.aborted) {
      const response = await fetch(baseOf(home) + target, { ...init, signal: stop.signal });
      await response.arrayBuffer();
    }
  };
  const headers = { authorization: `Bearer ${tokenOf(home)}` };
  const floods = [
    flood('/api/summaries', { headers }),
    flood('/api/search', { headers, method: 'POST', body: `{"query":"${'part '.repeat(1_000)}"}` }),
    flood('/api/search', { headers, method: 'POST', body: 'x'.repeat(2 * 1024 * 1024) }),
    flood('/', {}),
  ].map((one) => one.catch(() => {}));
  for (let at = 0; at < 50; at += 1) {
    await home.capture({
      tool: 'Read',
      input: { file_path: `f${at}` },
      output: 'x',
      toolUseId: `flood-${at}`,
    });
  }
  stop.abort();
  await Promise.all(floods);
  expect((await ask(home, '/api/status')).body.counts.events).toBe(51);
});
