import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { closeHomes, Home, leftBehind } from '../support/home.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

describe.each(['memd', 'mem'] as const)('%s', (name) => {
  test.each([['--version'], ['-V']])('%s prints the version alone', async (flag) => {
    const told = await Home.open()[name]([flag]);
    expect(told).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
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
    expect(stderr).toBe(`error: unknown command '${wrong}'\n(Did you mean ${near}?)\n`);
  });

  test('an option that there is not: the nearest is named, exit 2', async () => {
    const [words, near] =
      name === 'memd' ? [['info', '--jsn'], '--json'] : [['search', 'x', '--wy'], '--why'];
    const { code, stderr } = await Home.open()[name](words);
    expect(code).toBe(2);
    expect(stderr).toContain(`(Did you mean ${near}?)`);
  });

  test('each command has a help, exit 0', async () => {
    const home = Home.open();
    const words = name === 'memd' ? ['start', 'doctor', 'scope', 'drain'] : ['search', 'unpin', 'export'];
    for (const word of words) {
      const told = await home[name]([word, '--help']);
      expect(told).toMatchObject({ code: 0, stderr: '' });
      expect(told.stdout).toContain(`Usage: ${name} ${word}`);
    }
  });
});

test('what changes something tells it as JSON too', async () => {
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
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('all[2J.ndjson') });
});
