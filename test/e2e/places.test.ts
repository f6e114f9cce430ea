import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { end } from '../support/processes.ts';
import { run } from '../support/run.ts';
import { until } from '../support/until.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

/** Every folder and file below `folder`, itself included, with its kind and mode. */
function modesBelow(folder: string): { name: string; kind: string; mode: string }[] {
  const names = ['', ...fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })];
  return names.map((name) => {
    const stat = fs.lstatSync(path.join(folder, name));
    const kind = stat.isDirectory() ? 'folder' : stat.isSocket() ? 'socket' : 'file';
    return { name, kind, mode: (stat.mode & 0o777).toString(8) };
  });
}

function git(cwd: string, ...args: string[]): void {
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' };
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...who, ...args], { cwd, env, stdio: 'pipe' });
}

describe('who else may read', () => {
  test.each(['000', '077', '277', '777'])(
    'under umask %s every folder is 0700 and every file 0600',
    async (umask) => {
      const home = Home.open();
      const shell = (script: string, args: string[], input = '') =>
        run(
          '/bin/sh',
          ['-c', `umask ${umask}; exec "$@"`, 'sh', process.execPath, path.join(dist, script), ...args],
          { cwd: home.project, env: home.env({ MEMD_DRAIN_BACKEND: 'builtin' }), input },
        );
      expect(await shell('memd.cjs', ['init'])).toMatchObject({ code: 0 });
      expect(await shell('memd.cjs', ['start'])).toMatchObject({ code: 0 });
      const payload = JSON.stringify({ tool: 'Read', input: { file_path: 'a' }, output: 'b' });
      expect(await shell('capture-observation.mjs', [], payload)).toMatchObject({ stdout: '{"ok":true}\n' });
      expect(await shell('memd.cjs', ['drain'])).toMatchObject({ code: 0 });
      const found = modesBelow(path.join(home.home, '.memd'));
      expect(found.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['default/config.json', `default/logs/${home.workspace().key}.ndjson`]),
      );
      expect(await shell('memd.cjs', ['stop'])).toMatchObject({ code: 0 });
      expect(await shell('capture-observation.mjs', [], payload)).toMatchObject({ code: 0 });
      expect(await shell('session-start.mjs', [], '{}')).toMatchObject({ code: 0, stderr: '' });
      expect(await shell('monitor.mjs', ['--once'])).toMatchObject({ code: 0 });
      found.push(...modesBelow(path.join(home.home, '.memd')));
      const wrong = found.filter(({ kind, mode }) => mode !== (kind === 'folder' ? '700' : '600'));
      expect(wrong).toEqual([]);
    },
  );

  test('what a killed daemon has left open to others is closed at the next start', async () => {
    const home = Home.open();
    const { database, lock, folder } = home.workspace();
    await end(await home.start(), 'SIGKILL');
    const files = [database, `${database}-wal`, `${database}-shm`, lock];
    for (const file of files) fs.chmodSync(file, 0o644);
    await home.start();
    expect(modesBelow(folder).filter(({ kind, mode }) => kind === 'file' && mode !== '600')).toEqual([]);
  });

  test.each(['.memd', '.memd/default', '.memd/default/workspaces', '.memd/default/logs'])(
    'a group-readable %s is refused with its name and the repair',
    async (name) => {
      const home = Home.open({ config: null });
      const folder = path.join(home.home, name);
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      fs.chmodSync(folder, 0o750);
      const start = await home.memd(['start']);
      expect(start.code).toBe(1);
      expect(start.stderr).toContain(`${folder} is open to other users (mode 0750)`);
      expect(start.stderr).toContain(`chmod 700 '${folder}'`);
      expect(start.stderr.trim().split('\n')).toHaveLength(1);
      await until('the end of the refused daemon', () => home.daemons().length === 0);
    },
  );

  test.each(['.memd', '.memd/default'])('a symbolic link at %s is refused with its name', async (name) => {
    const home = Home.open({ config: null });
    const link = path.join(home.home, name);
    const elsewhere = path.join(home.folder, 'elsewhere');
    fs.mkdirSync(elsewhere, { mode: 0o700 });
    fs.mkdirSync(path.dirname(link), { recursive: true, mode: 0o700 });
    fs.symlinkSync(elsewhere, link);
    const start = await home.memd(['start']);
    expect(start.code).toBe(1);
    expect(start.stderr).toContain(`${link} is a symbolic link`);
    expect(start.stderr).toContain('Replace it with a real folder of your own');
    expect(fs.readdirSync(elsewhere)).toEqual([]);
  });
});

describe('a file that keeps the memory', () => {
  const kept = [
    'db.sqlite',
    'db.sqlite-wal',
    'db.sqlite-shm',
    'wal.ndjson',
    'wal-damaged.ndjson',
    'spool.ndjson',
  ];

  /** A workspace that was in use, with a file of it in the hands of `spoil`. */
  async function spoiled(name: string, spoil: (file: string, home: Home) => void) {
    const home = Home.open({ config: { 'drain.fallback': 'builtin' } });
    await home.start();
    await home.capture({ tool: 'Read', input: { file_path: 'f' }, output: 'x', toolUseId: 'c' });
    await home.memd(['stop']);
    const { folder, daemonLog } = home.workspace();
    const file = name === 'log' ? daemonLog : path.join(folder, name);
    if (!fs.existsSync(file)) fs.writeFileSync(file, '', { mode: 0o600 });
    spoil(file, home);
    return { home, file };
  }

  test.each([...kept, 'log'])(
    '%s that is a link is refused by its name, and what it leads to is left as it is',
    async (name) => {
      const elsewhere = (home: Home) => path.join(home.folder, 'elsewhere');
      const { home, file } = await spoiled(name, (one, { folder }) => {
        fs.renameSync(one, path.join(folder, 'elsewhere'));
        fs.symlinkSync(path.join(folder, 'elsewhere'), one);
      });
      const before = fs.readFileSync(elsewhere(home));
      const refusal = `${file} is a symbolic link`;
      expect(await home.memd(['start'])).toMatchObject({ code: 1, stderr: expect.stringContaining(refusal) });
      if (name.startsWith('db.sqlite')) {
        for (const run of [home.memd(['drain']), home.mem(['export'])])
          expect(await run).toMatchObject({ code: 1, stderr: expect.stringContaining(refusal) });
      }
      const call = { tool: 'Read', input: { file_path: 'f' }, output: 'y', toolUseId: 'd' };
      const hook = await home.hook(call);
      expect(hook.code).toBe(0);
      if (name === 'spool.ndjson') expect(hook.stderr).toContain(refusal);
      expect(fs.readFileSync(elsewhere(home)).equals(before)).toBe(true);
    },
  );

  test.runIf(process.getuid?.() === 0).each(kept)(
    '%s of another user is refused by its name',
    async (name) => {
      const { home, file } = await spoiled(name, (one) => fs.chownSync(one, 54_321, 54_321));
      expect(await home.memd(['start'])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`${file} belongs to another user (uid 54321)`),
      });
    },
  );

  test.each([...kept, 'log'])('%s that is open to others is closed, and that is said', async (name) => {
    const { home, file } = await spoiled(name, (one) => fs.chmodSync(one, 0o666));
    expect(await home.memd(['start'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`${file} was open to other users: its mode is 0600 now`),
    });
    expect(
      modesBelow(home.workspace().folder).filter(({ kind, mode }) => kind === 'file' && mode !== '600'),
    ).toEqual([]);
  });
});

/** Only root can give a folder away. */
const isRoot = process.getuid?.() === 0;
const stranger = 54_321;

describe.runIf(isRoot)('what belongs to somebody else', () => {
  test.each(['.memd', '.memd/default', '.memd/default/workspaces', '.memd/default/logs'])(
    'a folder %s is refused with its name, and left as it is',
    async (name) => {
      const home = Home.open({ config: null });
      const folder = path.join(home.home, name);
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      fs.chownSync(folder, stranger, stranger);
      const start = await home.memd(['start']);
      expect(start).toMatchObject({ code: 1, stdout: '' });
      expect(start.stderr).toContain(`${folder} belongs to another user`);
      expect(start.stderr.trim().split('\n')).toHaveLength(1);
      expect(fs.statSync(folder).uid).toBe(stranger);
      await until('the end of the refused daemon', () => home.daemons().length === 0);
    },
  );
});

describe('which memory a folder has', () => {
  test('a folder inside a repository has the memory of the whole repository', async () => {
    const home = Home.open();
    git(home.project, 'init', '-q');
    const inner = path.join(home.project, 'src', 'deep');
    fs.mkdirSync(inner, { recursive: true });
    const pid = await home.start();
    const info = await home.memd(['info', '--json'], { cwd: inner });
    expect(JSON.parse(info.stdout)).toMatchObject({ daemon: { pid }, workspace: { root: home.project } });
  });

  test('a linked git worktree shares the memory of its main repository', async () => {
    const home = Home.open();
    git(home.project, 'init', '-q');
    git(home.project, 'commit', '-q', '--allow-empty', '-m', 'first');
    const tree = path.join(home.folder, 'tree');
    git(home.project, 'worktree', 'add', '-q', tree);
    await home.start();
    const payload = { tool: 'Read', input: { file_path: 'a' }, output: 'b' };
    expect(await home.hook(payload, { cwd: tree })).toMatchObject({ stdout: '{"ok":true}\n' });
    const info = await home.memd(['info', '--json'], { cwd: tree });
    expect(JSON.parse(info.stdout)).toMatchObject({
      workspace: { root: home.project },
      counts: { events: 1 },
    });
    expect(home.daemons()).toHaveLength(1);
  });

  test('CLAUDE_PROJECT_DIR decides, not the current folder', async () => {
    const home = Home.open();
    const other = path.join(home.folder, 'other');
    fs.mkdirSync(other);
    const info = await home.memd(['info', '--json'], { env: { CLAUDE_PROJECT_DIR: other } });
    expect(JSON.parse(info.stdout)).toMatchObject({ workspace: { root: other } });
  });

  test('a symbolic link to a project leads to the same memory', async () => {
    const home = Home.open();
    const link = path.join(home.folder, 'link');
    fs.symlinkSync(home.project, link);
    const pid = await home.start();
    const info = await home.memd(['info', '--json'], { env: { CLAUDE_PROJECT_DIR: link } });
    expect(JSON.parse(info.stdout)).toMatchObject({ daemon: { pid }, workspace: { root: home.project } });
  });

  test('HOME itself can be the project, and its .memd makes no project of the folders below', async () => {
    const home = Home.open();
    const pid = await home.start({ cwd: home.home });
    const below = path.join(home.home, 'somewhere');
    fs.mkdirSync(below);
    const at = async (cwd: string) => JSON.parse((await home.memd(['info', '--json'], { cwd })).stdout);
    expect(await at(home.home)).toMatchObject({ daemon: { pid }, workspace: { root: home.home } });
    expect(await at(below)).toMatchObject({ daemon: { reachable: false }, workspace: { root: below } });
  });

  test('nothing is written into the project', async () => {
    const home = Home.open();
    await home.start();
    await home.hook({ tool: 'Read', input: { file_path: 'a' }, output: 'b' });
    await home.memd(['drain'], { env: { MEMD_DRAIN_BACKEND: 'builtin' } });
    await home.memd(['stop']);
    expect(fs.readdirSync(home.project)).toEqual([]);
  });

  test.each(['../up', '.hidden', 'a b', 'a/b', 'x'.repeat(65), 'ünïcode'])(
    'MEMD_NS %j is refused by commands and hook, and nothing is written',
    async (name) => {
      const home = Home.open({ env: { MEMD_NS: name }, config: null });
      const start = await home.memd(['start']);
      expect(start.code).toBe(1);
      expect(start.stderr).toContain('is not a namespace');
      expect(start.stderr.trim().split('\n')).toHaveLength(1);
      const hook = await home.hook({ tool: 'Read', input: {}, output: 'b' });
      expect(hook).toMatchObject({ code: 0, stdout: '' });
      expect(hook.stderr).toContain('is not a namespace');
      expect(fs.readdirSync(home.home)).toEqual([]);
    },
  );
});
