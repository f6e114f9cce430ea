import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { end, lives } from '../support/processes.ts';
import { type Ran, type RunOptions, run } from '../support/run.ts';
import { until } from '../support/until.ts';

const monitors = new Set<number>();

afterEach(async () => {
  for (const pid of monitors) await end(pid);
  monitors.clear();
  await closeHomes();
});
afterAll(() => expect(leftBehind()).toEqual([]));

interface Line {
  readonly ts: string;
  readonly ok: boolean;
  readonly latencyMs: number;
  readonly body?: string;
  readonly error?: string;
  readonly workspace?: string;
}

const fileOf = (home: Home): string => path.join(path.dirname(home.workspace().config), 'health.ndjson');

function linesOf(home: Home): Line[] {
  const text = fs.existsSync(fileOf(home)) ? fs.readFileSync(fileOf(home), 'utf8') : '';
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line): Line => JSON.parse(line));
}

/** The words that run a monitor after `node`. */
type Program = (home: Home) => readonly string[];

/** The command, and the script that is a file of its own, copied to where nothing else of the program is. */
const command: Program = () => [path.join(dist, 'memd.cjs'), 'monitor'];
const script: Program = (home) => {
  const copy = path.join(home.folder, 'monitor.mjs');
  fs.copyFileSync(path.join(dist, 'monitor.mjs'), copy);
  return [copy];
};

type Extra = Partial<Pick<RunOptions, 'env' | 'running'>>;

function monitor(
  program: Program,
  home: Home,
  args: readonly string[],
  { env, running }: Extra = {},
): Promise<Ran> {
  const options = { cwd: home.project, env: home.env(env), ...(running === undefined ? {} : { running }) };
  return run(process.execPath, [...program(home), ...args], options);
}

interface AtWork {
  readonly pid: () => number;
  readonly stop: (signal?: NodeJS.Signals) => Promise<Ran>;
}

/** A monitor that is at work until it is stopped. */
function begin(start: (running: (pid: number) => void) => Promise<Ran>): AtWork {
  let pid = 0;
  const ran = start((child) => {
    pid = child;
    monitors.add(child);
  });
  return {
    pid: () => pid,
    stop: (signal = 'SIGTERM') => {
      process.kill(pid, signal);
      return ran;
    },
  };
}

/** A monitor that can make no file longer than one block: some of a line fits, not all. Its stderr goes to `log`. */
function beginLimited(program: Program, home: Home, log: string): AtWork {
  const limited = 'trap "" XFSZ; ulimit -f 1; exec 2> "$0"; exec "$@"';
  const words = [process.execPath, ...program(home), '--interval', '0.1'];
  return begin((running) =>
    run('/bin/sh', ['-c', limited, log, ...words], { cwd: home.project, env: home.env(), running }),
  );
}

describe.each([
  ['memd monitor', command],
  ['monitor.mjs', script],
] as const)('%s', (_name, program) => {
  const watching = (
    home: Home,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): AtWork => begin((running) => monitor(program, home, args, { env, running }));

  test('--once writes one line and exits 0 when the daemon answers', async () => {
    const home = Home.open();
    await home.start();
    const { code, stdout, stderr } = await monitor(program, home, ['--once']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [line, ...rest] = linesOf(home);
    expect(rest).toEqual([]);
    expect(line).toEqual({
      ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      ok: true,
      latencyMs: expect.any(Number),
      body: '{"ok":true}',
    });
    expect(Number.isInteger(line?.latencyMs)).toBe(true);
    expect(stdout).toBe(`${JSON.stringify(line)}\n`);
    expect(fs.statSync(fileOf(home)).mode & 0o777).toBe(0o600);
  });

  test('--once before there was any daemon says `connect ENOENT`, exits 1 and makes nothing but its file', async () => {
    const home = Home.open({ config: null });
    expect(await monitor(program, home, ['--once'])).toMatchObject({ code: 1, stderr: '' });
    expect(linesOf(home)).toMatchObject([{ ok: false, error: 'connect ENOENT' }]);
    expect(fs.readdirSync(home.home, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual([
      '.memd',
      '.memd/default',
      '.memd/default/health.ndjson',
    ]);
    expect(fs.readdirSync(home.project)).toEqual([]);
  });

  test('goes on through a killed daemon, a removed socket and a hung daemon, and ends in order', async () => {
    const home = Home.open();
    const daemon = await home.start();
    const atWork = watching(home, ['--interval', '0.1']);
    const seen = (what: string) =>
      until(what, () => linesOf(home).some(({ body, error }) => what === (body ?? error)));
    await seen('{"ok":true}');
    process.kill(daemon, 'SIGSTOP');
    await seen('timeout');
    await end(daemon);
    await seen('connect ECONNREFUSED');
    fs.rmSync(home.workspace().socket);
    await seen('connect ENOENT');
    await home.start();
    await until('an answer again', () => linesOf(home).at(-1)?.ok);
    expect(await atWork.stop()).toMatchObject({ code: 0, signal: null, stdout: '', stderr: '' });
    const lines = linesOf(home);
    expect(
      lines.filter(({ error }) => error === 'timeout').every(({ latencyMs }) => latencyMs >= 1_499),
    ).toBe(true);
    expect(lines.map(({ ts }) => ts)).toEqual(lines.map(({ ts }) => ts).sort());
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'writes its first line at once, and ends with %s',
    async (signal) => {
      const home = Home.open();
      const atWork = watching(home, []);
      await until('the first line', () => linesOf(home).length === 1);
      expect(await atWork.stop(signal)).toMatchObject({ code: 0, signal: null, stderr: '' });
      expect(lives(atWork.pid())).toBe(false);
      expect(linesOf(home)).toHaveLength(1);
    },
  );

  test.each([['--interval', '0'], ['--interval', 'soon'], ['--nonsense']])(
    'is not understood with %s %s %s',
    async (...args) => {
      const home = Home.open({ config: null });
      const { code, stdout, stderr } = await monitor(program, home, args.filter(Boolean));
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).not.toBe('');
      expect(fs.readdirSync(home.home)).toEqual([]);
    },
  );

  test('--help names every option', async () => {
    const { code, stdout } = await monitor(program, Home.open(), ['--help']);
    expect(code).toBe(0);
    for (const option of ['--interval', '--once']) expect(stdout).toContain(option);
  });

  test('refuses a link in place of its file or folder, in one line', async () => {
    const home = Home.open();
    const elsewhere = path.join(home.folder, 'elsewhere');
    fs.symlinkSync(elsewhere, fileOf(home));
    const { code, stderr } = await monitor(program, home, []);
    expect(code).toBe(1);
    expect(stderr).toContain(`${fileOf(home)} is a symbolic link`);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(fs.existsSync(elsewhere)).toBe(false);
  });

  test('reports a full disk once, leaves no half line, and goes on when there is room again', async () => {
    const home = Home.open();
    const file = fileOf(home);
    const log = path.join(home.folder, 'stderr');
    const notes = (): string => (fs.existsSync(log) ? fs.readFileSync(log, 'utf8') : '');
    fs.writeFileSync(file, `${JSON.stringify({ ok: false, rest: 'x'.repeat(450) })}\n`, { mode: 0o600 });
    const atWork = beginLimited(program, home, log);
    await until('the trouble', () => notes().includes('\n'));
    expect(notes()).toMatch(
      /^memd monitor: cannot write .*health\.ndjson: only \d+ of \d+ bytes were written; pings continue\n/,
    );
    expect(linesOf(home).every(({ ok }) => ok === false)).toBe(true);
    fs.truncateSync(file);
    await until('room again', () => notes().includes('memd monitor: health.ndjson is writable again\n'));
    expect(linesOf(home).every(({ error }) => error === 'connect ENOENT')).toBe(true);
    expect(await atWork.stop()).toMatchObject({ code: 0, signal: null });
  });

  test('moves a full file away and begins a new one', async () => {
    const home = Home.open();
    const file = fileOf(home);
    const full = 'x'.repeat(4 * 1024 * 1024 - 1) + '\n';
    fs.writeFileSync(`${file}.1`, 'older\n', { mode: 0o600 });
    fs.writeFileSync(file, full, { mode: 0o600 });
    expect(await monitor(program, home, ['--once'])).toMatchObject({ code: 1, stderr: '' });
    expect(linesOf(home)).toHaveLength(1);
    expect(fs.readFileSync(`${file}.1`, 'utf8') === full).toBe(true);
  });
});

describe('several monitors', () => {
  test('of two projects share the file line by line', async () => {
    const home = Home.open();
    await home.start();
    const other = path.join(home.folder, 'other');
    fs.mkdirSync(other);
    const args = ['--interval', '0.1'];
    const env = { CLAUDE_PROJECT_DIR: other };
    const one = begin((running) => monitor(command, home, args, { running }));
    const two = begin((running) => monitor(script, home, args, { env, running }));
    // Only the first has a daemon.
    const count = (isOk: boolean): number => linesOf(home).filter(({ ok }) => ok === isOk).length;
    await until('lines of both', () => count(true) >= 5 && count(false) >= 5);
    expect([await one.stop(), await two.stop()]).toMatchObject([{ code: 0 }, { code: 0 }]);
  });
});

test('the script stands alone: it imports nothing but what Node brings', () => {
  const text = fs.readFileSync(path.join(dist, 'monitor.mjs'), 'utf8');
  const imported = [...text.matchAll(/^import .*?from ["'](.+?)["'];$/gm)].map(([, name = '']) => name);
  expect(imported.length).toBeGreaterThan(3);
  expect(imported.filter((name) => !name.startsWith('node:'))).toEqual([]);
  expect(/\brequire\(|\bimport\(|photostructure/.test(text)).toBe(false);
});
