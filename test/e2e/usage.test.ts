import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { run } from '../support/run.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

describe.each(['memd', 'mem'] as const)('%s', (name) => {
  test.each([['--version'], ['-V']])('%s prints the version alone', async (flag) => {
    const ran = await Home.open()[name]([flag]);
    expect(ran).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  test('the help that is shipped is the one that the program gives', async () => {
    const home = Home.open();
    const [shipped, short] = await Promise.all([home[name](['--help']), home[name](['-h'])]);
    expect(shipped).toMatchObject({ code: 0, stderr: '' });
    expect(short.stdout).toBe(shipped.stdout);
    // With more than itself on the line, the program is loaded.
    const loaded = await home[name](['--help', '--help']);
    expect(loaded).toMatchObject({ code: 0, stdout: shipped.stdout });
  });

  test('without a command: the help on stderr, exit 2', async () => {
    const home = Home.open();
    const { stdout: help } = await home[name](['--help']);
    expect(await home[name]([])).toMatchObject({ code: 2, stdout: '', stderr: help });
  });

  test('a command that there is not: the nearest is named, exit 2', async () => {
    const [wrong, near] = name === 'memd' ? ['strat', 'start'] : ['serch', 'search'];
    const { code, stdout, stderr } = await Home.open()[name]([wrong]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `${name}: unknown command '${wrong}'. Did you mean ${near}? Run \`${name} --help\`.\n`,
    );
  });

  test('an option that there is not: the nearest is named, exit 2', async () => {
    const [words, near] =
      name === 'memd' ? [['info', '--jsn'], '--json'] : [['search', 'x', '--wy'], '--why'];
    const { code, stderr } = await Home.open()[name](words);
    expect(code).toBe(2);
    expect(stderr).toContain(`'. Did you mean ${near}? Run \`${name} ${words[0]} --help\`.`);
  });

  test('each command has a help, exit 0', async () => {
    const home = Home.open();
    const words = name === 'memd' ? ['start', 'doctor', 'scope', 'drain'] : ['search', 'unpin', 'export'];
    for (const word of words) {
      const ran = await home[name]([word, '--help']);
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      expect(ran.stdout).toContain(`Usage: ${name} ${word}`);
    }
  });
});

describe('a command with actions', () => {
  const own = ['--identity-file', '--project', '--purge', '--undo'];
  test.each([
    [['sync'], ['--purge']],
    [
      ['sync', 'init'],
      ['--identity-file', '--project'],
    ],
    [['sync', 'pull'], []],
    [['sync', 'push'], ['--purge']],
    [['sync', 'status'], []],
    [['sync', 'forget-author'], ['--undo']],
    [['scope', 'check'], []],
    [['scope', 'init'], []],
  ])('memd %j --help shows its own usage, and its options alone', async (words, options) => {
    const { code, stdout, stderr } = await Home.open().memd([...words, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: memd ${words.join(' ')} [options]`);
    expect(own.filter((option) => stdout.includes(option))).toEqual(options);
  });

  test('lists its actions in its own help', async () => {
    const { stdout } = await Home.open().memd(['sync', '--help']);
    for (const action of ['init', 'pull', 'push', 'status', 'forget-author'])
      expect(stdout).toMatch(new RegExp(`^ {2}${action} `, 'm'));
  });
});

test.each([
  [['sync', 'forget-author'], "missing required argument 'AUTHOR'.", 'sync forget-author'],
  [['sync', 'pull', '--purge'], "unknown option '--purge'.", 'sync pull'],
  [['sync', 'status', 'now'], 'too many arguments', 'sync status'],
  [['sync', 'pussh'], 'memd sync has no such action', 'sync'],
  [['scope', 'chekc'], "unknown command 'chekc'. Did you mean check?", 'scope'],
  [['logs', '-k', 'few'], 'It must be a whole number, at least 0.', 'logs'],
  [['install', 'edlin'], "'edlin' is invalid for argument 'CLIENT'. Unknown assistant.", 'install'],
  [['install', 'codex', '--all'], 'name one assistant, or --all.', 'install'],
  [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish.', 'completion'],
])('memd %j: one line that says what is wrong and names the help', async (words, what, help) => {
  const { code, stdout, stderr } = await Home.open().memd(words);
  expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 2, stdout: '', lines: 2 });
  expect(stderr).toMatch(/^memd: /);
  expect(stderr).toContain(what);
  expect(stderr.endsWith(` Run \`memd ${help} --help\`.\n`)).toBe(true);
});

test('-k is how many, everywhere; the flags of earlier versions are accepted and in no help', async () => {
  const home = await Home.withRaw(4, { env: { MEMD_DRAIN_BACKEND: 'builtin' } });
  await home.start();
  await home.memd(['drain']);
  for (const flag of ['-k', '--number', '-n']) {
    const { stdout } = await home.mem(['recent', flag, '2', '--json']);
    expect(JSON.parse(stdout).summaries).toHaveLength(2);
    expect((await home.mem(['search', 'file', flag, '1', '--json'])).code).toBe(0);
    expect((await home.mem(['sessions', flag, '1'])).code).toBe(0);
    expect((await home.memd(['told', flag, '1'])).code).toBe(0);
  }
  for (const flag of ['-k', '--number', '-n', '--window']) {
    const { before, after } = JSON.parse((await home.mem(['timeline', '2', flag, '1', '--json'])).stdout);
    expect(before.length + after.length).toBeLessThanOrEqual(2);
  }
  for (const flag of ['-k', '--number', '-n', '--lines']) {
    const { stdout } = await home.memd(['logs', flag, '1']);
    expect(stdout.trim().split('\n')).toHaveLength(1);
  }
  for (const words of [
    ['mem', 'recent'],
    ['mem', 'timeline'],
    ['memd', 'logs'],
    ['memd', 'told'],
  ] as const) {
    const { stdout } = await home[words[0]]([words[1], '--help']);
    expect(stdout).toContain('-k, --number <N>');
    expect(stdout).not.toMatch(/-n\b|--window|--lines/);
  }
});

test('what changes something reports it as JSON too', async () => {
  const home = Home.open({ config: { 'drain.fallback': 'builtin' } });
  const json = async (args: readonly string[], by: 'memd' | 'mem' = 'memd') => {
    const { code, stdout } = await home[by]([...args, '--json']);
    expect(code).toBe(0);
    return JSON.parse(stdout);
  };
  expect(await json(['init'])).toMatchObject({ ok: true, written: false, fallback: 'builtin' });
  const started = await json(['start']);
  expect(started).toEqual({ ok: true, outcome: 'started', pid: home.pid() });
  expect(await json(['start'])).toEqual({ ok: true, outcome: 'running', pid: home.pid() });
  expect(await json(['focus', 'the login bug'])).toEqual({ ok: true, focus: 'the login bug' });
  expect(await json(['focus', '--clear'])).toEqual({ ok: true, focus: null });
  await home.capture({ tool: 'Read', input: { file_path: 'a.ts' }, output: 'b', toolUseId: 'one' });
  expect(await json(['up'])).toMatchObject({ ok: true, drain: { processed: 1 } });
  expect(await json(['pin', '1'], 'mem')).toEqual({ ok: true, id: 1 });
  expect(await json(['unpin', '1'], 'mem')).toEqual({ ok: true, id: 1 });
  expect(await json(['forget', '1'], 'mem')).toEqual({ ok: true, id: 1, kept: [] });
  const restarted = await json(['restart']);
  expect(restarted).toEqual({ ok: true, stopped: { outcome: 'stopped', pid: started.pid }, pid: home.pid() });
  expect(await json(['stop'])).toEqual({ ok: true, outcome: 'stopped', pid: restarted.pid });
});

test('an error that quotes a name moves no cursor', async () => {
  const { code, stderr } = await Home.open().mem(['import', 'all\u001b[2J.ndjson']);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('all.ndjson') });
});

test('where the output is JSON in any case, --json is no error', async () => {
  const home = await Home.withRaw(1, { env: { MEMD_DRAIN_BACKEND: 'builtin' } });
  expect(await home.memd(['drain', '--json'])).toMatchObject({ code: 0, stdout: '{"processed":1}\n' });
  const { stdout } = await home.memd(['monitor', '--once', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false });
  const lines = (await home.mem(['export', '--json'])).stdout.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).not.toEqual([]);
  expect((await home.mem(['export', '--json', '--markdown'])).code).toBe(2);
});

test('a backend that there is not: drain has not understood, start refuses', async () => {
  const home = Home.open({ env: { MEMD_DRAIN_BACKEND: 'bogus' } });
  const stderr = expect.stringContaining('MEMD_DRAIN_BACKEND: drain.backend must be one of');
  expect(await home.memd(['drain'])).toMatchObject({ code: 2, stdout: '', stderr });
  expect(await home.memd(['start'])).toMatchObject({ code: 1, stdout: '', stderr });
});

test('in a folder that is gone, what needs one says so and the rest works', async () => {
  const home = Home.open();
  const gone = path.join(home.project, 'gone');
  const inGone = (...args: readonly string[]) => {
    fs.mkdirSync(gone);
    const script = 'cd "$0" && rmdir "$0" && exec "$@"';
    const words = ['-c', script, gone, process.execPath, path.join(dist, 'memd.cjs'), ...args];
    return run('/bin/sh', words, { cwd: home.project, env: home.env() });
  };
  expect(await inGone('info')).toMatchObject({
    code: 1,
    stderr: 'memd: the current folder was removed. Change to an existing folder.\n',
  });
  expect(await inGone('start', '--help')).toMatchObject({ code: 0, stderr: '' });
});

test('a HOME that does not exist is reported and not created', async () => {
  const home = Home.open();
  const nowhere = path.join(home.folder, 'nowhere');
  const { code, stderr } = await home.memd(['start'], { env: { HOME: nowhere } });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^memd: .+nowhere does not exist.+set HOME/i),
  });
  expect(fs.existsSync(nowhere)).toBe(false);
});
