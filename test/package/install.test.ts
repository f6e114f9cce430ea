import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { daemonsBelow, end } from '../support/processes.ts';
import { type Ran, run } from '../support/run.ts';
import { pack, stage } from '../support/tarball.ts';

/** The oldest that is supported, and the last of each line; one more by `MEMD_TEST_NODES=20.19.0,24`. */
const versions = process.env.MEMD_TEST_NODES?.split(',') ?? ['20.12.2', '22', '24'];
const npmQuiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

let folder: string;
/** Where npm puts a global package, in a folder whose name has spaces. */
let prefix: string;

beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd package ')));
  const staged = path.join(folder, 'staged');
  stage(staged);
  const { filename } = pack(staged);
  prefix = path.join(folder, 'a prefix of mine');
  npm(['install', '--global', '--prefix', prefix, path.join(staged, filename)]);
});
afterEach(async () => {
  for (const pid of daemonsBelow(folder)) await end(pid);
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

function npm(args: readonly string[]): void {
  execFileSync('npm', [...args, ...npmQuiet], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The folder with the program `node` of a version, from npm's package of its binary. */
function nodeOf(version: string): string {
  const own = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const name = `${own}-${process.platform}-${process.arch}`;
  const where = path.join(folder, `node ${version}`);
  npm(['install', '--no-save', '--prefix', where, `${name}@${version}`]);
  return path.join(where, 'node_modules', name, 'bin');
}

/** A clean home and project, and commands in it under one version of Node. */
function place(name: string, bin: string) {
  const [home, project] = [path.join(folder, `home ${name}`), path.join(folder, `project ${name}`)];
  const space = path.join(home, '.memd/default');
  for (const one of [space, project]) fs.mkdirSync(one, { recursive: true, mode: 0o700 });
  fs.chmodSync(path.dirname(space), 0o700);
  // A generous budget: a busy machine fails no capture.
  const config = { captureObservationBudgetMs: 30_000, 'drain.fallback': 'builtin' };
  fs.writeFileSync(path.join(space, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  const env = {
    PATH: [bin, path.join(prefix, 'bin'), process.env.PATH].join(path.delimiter),
    HOME: home,
    MEMD_NO_HTTP: '1',
    LOCALLLM_HOST: '127.0.0.1:4',
  };
  return (command: string, args: readonly string[], input = ''): Promise<Ran> =>
    run(command, args, { cwd: project, env, input });
}

const call = (id: string): string =>
  JSON.stringify({
    ...{ session_id: 's', hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_use_id: id },
    ...{
      tool_input: { command: 'npm run migrate' },
      tool_response: { stdout: `migrated ${id}`, stderr: '' },
    },
  });

test('npm installs both commands, and the one that npx looks for', () => {
  expect(fs.readdirSync(path.join(prefix, 'bin')).sort()).toEqual(['mem', 'memd', 'memdaemon']);
});

test('SQLite is there for every platform that is supported, with nothing to compile', () => {
  const prebuilds = path.join(
    prefix,
    'lib/node_modules/memdaemon/node_modules/@photostructure/sqlite/prebuilds',
  );
  const files = fs
    .readdirSync(prebuilds, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.node'));
  const linux = ['x64', 'arm64'].flatMap((arch) => ['glibc', 'musl'].map((libc) => [`linux-${arch}`, libc]));
  const darwin = ['x64', 'arm64'].map((arch) => [`darwin-${arch}`, '']);
  for (const [platform = '', libc = ''] of [...linux, ...darwin]) {
    expect(files.filter((file) => file.startsWith(`${platform}/`) && file.includes(libc))).not.toEqual([]);
  }
});

test('`npm run setup` installs from a fresh clone, sets up a project, and leaves the clone as it was', async () => {
  const clone = path.join(folder, 'a clone');
  const home = path.join(folder, 'home of setup');
  execFileSync('git', ['clone', '-q', path.resolve(import.meta.dirname, '../..'), clone]);
  for (const one of [`${home}/.claude`, path.join(folder, 'my project')])
    fs.mkdirSync(one, { recursive: true, mode: 0o700 });
  // Where this machine's npm finds packages.
  const userconfig = execFileSync('npm', ['config', 'get', 'userconfig'], { encoding: 'utf8' }).trim();
  const ofNpm = Object.entries(process.env).filter(([name]) => /^npm_config_(?!.*prefix)/i.test(name));
  const env = {
    ...Object.fromEntries(ofNpm),
    ...{ PATH: process.env.PATH ?? '', HOME: home, npm_config_userconfig: userconfig },
    ...{ npm_config_prefix: path.join(folder, 'another prefix'), LOCALLLM_HOST: '127.0.0.1:4' },
  };
  const npmRun = (...words: string[]): Promise<Ran> =>
    run('npm', ['run', 'setup', '--', ...words], { cwd: clone, env, input: '', endsWithinMs: 280_000 });
  expect(await npmRun('nowhere')).toMatchObject({ code: 2, stderr: expect.stringContaining('FOLDER') });
  expect(fs.existsSync(path.join(clone, 'node_modules'))).toBe(false);
  const { code, stdout, stderr } = await npmRun('../my project', '--yes');
  expect(stdout, stderr).toContain('The memory of this project has 0 memories.');
  expect(stdout).toContain('export PATH=');
  expect(code).toBe(0);
  expect(fs.readFileSync(path.join(home, '.claude/settings.json'), 'utf8')).toContain('another prefix');
  expect(execFileSync('git', ['-C', clone, 'status', '--porcelain'], { encoding: 'utf8' })).toBe('');
});

describe.each(versions)('Node %s', (version) => {
  let bin: string;
  beforeAll(() => {
    bin = nodeOf(version);
  });

  test('the installed commands: start, capture, drain, search, tools, stop', async () => {
    const at = place(version, bin);
    expect((await at('node', ['--version'])).stdout).toMatch(
      new RegExp(`^v${version.replaceAll('.', '\\.')}\\b`),
    );
    expect(await at('memd', ['--version'])).toMatchObject({ code: 0, stderr: '' });
    expect((await at('mem', ['--help'])).stdout).toContain('search [QUERY...]');
    expect(await at('memd', ['up'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('no assistant is connected'),
    });
    const built = path.join(prefix, 'lib/node_modules/memdaemon/dist');
    for (const ending of ['mjs', 'cjs']) {
      const hook = path.join(built, `capture-observation.${ending}`);
      expect(await at('node', [hook], call(ending))).toEqual({
        code: 0,
        signal: null,
        stdout: '{"ok":true}\n',
        stderr: '',
      });
    }
    expect(await at('memd', ['drain'])).toMatchObject({ code: 0 });
    const found = await at('mem', ['search', 'migrate', '--kind', 'call', '--json']);
    expect(JSON.parse(found.stdout).hits).toHaveLength(2);
    const initialize = {
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    };
    expect((await at('memd', ['mcp'], `${JSON.stringify(initialize)}\n`)).stdout).toContain('"serverInfo"');
    expect(await at('memd', ['doctor'])).toMatchObject({ code: 0 });
    expect(await at('memd', ['stop'])).toMatchObject({ code: 0, stderr: '' });
    expect(daemonsBelow(folder)).toEqual([]);
  });

  test('the plugin as built begins a session, captures and searches', async () => {
    const plugin = path.join(folder, `the plugin ${version}`);
    execFileSync(process.execPath, [path.resolve(import.meta.dirname, '../../scripts/plugin.mjs'), plugin], {
      stdio: 'ignore',
    });
    const at = place(`plugin ${version}`, bin);
    const event = JSON.stringify({ session_id: 's', source: 'startup', hook_event_name: 'SessionStart' });
    expect(await at('node', [path.join(plugin, 'dist/session-start.cjs')], event)).toMatchObject({
      code: 0,
      stderr: '',
    });
    const captured = await at('node', [path.join(plugin, 'dist/capture-observation.cjs')], call('p'));
    expect(captured).toMatchObject({ code: 0, stdout: '{"ok":true}\n' });
    expect(await at(path.join(plugin, 'bin/memd'), ['info'])).toMatchObject({ code: 0 });
    expect(await at(path.join(plugin, 'bin/memd'), ['stop'])).toMatchObject({ code: 0 });
  });
});
