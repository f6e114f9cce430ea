import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import type { Ran } from '../support/run.ts';
import { until } from '../support/until.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

/** A refusal: exit 1, nothing on stdout, one line on stderr with all of `words`, and the same in the daemon's log. */
async function expectRefusal(home: Home, ran: Ran, ...words: string[]): Promise<void> {
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(ran.stderr).toMatch(/^memd: [^\n]+\n$/);
  for (const word of words) expect(ran.stderr).toContain(word);
  const logged = home.daemonLog().map(({ error }) => `memd: ${error}\n`);
  expect(logged).toContain(ran.stderr);
  expect(fs.existsSync(home.workspace().pid)).toBe(false);
  // It says why before it goes.
  await until('the end of the refused daemon', () => home.daemons().length === 0);
}

describe('a config.json that start refuses, with cause and repair in one line, in the log too', () => {
  test.each([
    ['is not JSON', '{\n  "topK": 10,\n}\n', ['is not valid JSON in line 3', 'no trailing commas']],
    ['has comments', '{ // ten\n "topK": 10 }', ['is not valid JSON']],
    ['is empty', '', ['is not valid JSON']],
    ['is no object', '[10]', ['does not hold a JSON object']],
    [
      'has a wrong type',
      '{"topK":"ten"}',
      ['topK must be a whole number from 1 to 200', '"ten"', 'to use 10'],
    ],
    ['has a number out of range', '{"drain":{"tickMs":1}}', ['drain.tickMs must be a whole number from 50']],
    [
      'names a backend that is not there',
      '{"drain.backend":"cloud"}',
      ['"auto", "local", "hosted", "builtin"'],
    ],
    [
      'has an endpoint that is none',
      '{"localllm":{"endpoint":"ftp://x"}}',
      ['localllm.endpoint must be an http or https'],
    ],
  ])('one that %s', async (_how, text, words) => {
    const home = Home.open();
    home.writeConfig(text);
    await expectRefusal(home, await home.memd(['start']), home.workspace().config, ...words);
    expect(fs.readFileSync(home.workspace().config, 'utf8')).toBe(text);
  });

  test('one that is a folder', async () => {
    const home = Home.open();
    fs.rmSync(home.workspace().config);
    fs.mkdirSync(home.workspace().config);
    await expectRefusal(home, await home.memd(['start']), home.workspace().config);
  });

  test.each([
    ['under a name of its own', { hostedllm: { apiKey: 'plain-words-of-a-key' } }, 'plain-words-of-a-key'],
    [
      'under a name that says nothing',
      { notes: 'sk-ant-api03-AbCdEf0123456789' },
      'sk-ant-api03-AbCdEf0123456789',
    ],
    ['in place of a model', { 'hostedllm.model': `ghp_${'a1B2'.repeat(9)}` }, `ghp_${'a1B2'.repeat(9)}`],
  ])('one with an API key in it, %s: refused without showing the key', async (_where, config, secret) => {
    const home = Home.open();
    home.configure(config);
    const ran = await home.memd(['start']);
    await expectRefusal(home, ran, 'looks like an API key', 'HOSTEDLLM_API_KEY');
    expect(ran.stderr).not.toContain(secret);
    expect(fs.readFileSync(home.workspace().daemonLog, 'utf8')).not.toContain(secret);
  });

  test('after the repair the same start succeeds', async () => {
    const home = Home.open();
    home.writeConfig('{');
    await expectRefusal(home, await home.memd(['start']));
    home.configure({});
    expect(await home.memd(['start'])).toMatchObject({ code: 0, stderr: '' });
  });

  test('drain refuses it in one line too', async () => {
    const home = Home.open();
    home.writeConfig('{"topK":0}');
    const ran = await home.memd(['drain']);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(/^memd: .*topK must be .*\n$/);
  });
});

describe('a config.json that start takes', () => {
  test.each([
    ['topk', 'topK'],
    ['drain.tick', 'drain.tickMs'],
    ['captureObservationBudget', 'captureObservationBudgetMs'],
  ])(
    'an unknown key "%s" is a warning that names "%s", on stderr, in the log and in info',
    async (given, meant) => {
      const home = Home.open({ config: { [given]: 5 } });
      const ran = await home.memd(['start']);
      const warning = `unknown key "${given}" is ignored; did you mean "${meant}"?`;
      expect(ran.code).toBe(0);
      expect(ran.stderr).toBe(`memd: ${home.workspace().config}: ${warning}\n`);
      expect((await home.info()).warnings).toEqual([`${home.workspace().config}: ${warning}`]);
      expect(home.daemonLog().some(({ msg }) => msg.endsWith(warning))).toBe(true);
    },
  );

  test('nested and dotted names mean the same, and the environment goes before both', async () => {
    for (const config of [
      { localllm: { endpoint: '127.0.0.1:31435' } },
      { 'localllm.endpoint': 'http://127.0.0.1:31435' },
    ]) {
      const home = Home.open({ config: { ...config, drain: { backend: 'hosted' } } });
      const drain = async (env: Record<string, string>) =>
        JSON.parse((await home.memd(['drain'], { env })).stdout).firstError;
      expect(await drain({ LOCALLLM_HOST: '', MEMD_DRAIN_BACKEND: '' })).toContain(
        'HOSTEDLLM_API_KEY is not set',
      );
      expect(await drain({ LOCALLLM_HOST: '', MEMD_DRAIN_BACKEND: 'auto' })).toContain(
        'http://127.0.0.1:31435,',
      );
      expect(await drain({ MEMD_DRAIN_BACKEND: 'auto' })).not.toContain('http://127.0.0.1:31435,');
    }
  });
});

describe('an environment that start refuses', () => {
  test.each([
    ['with white space', 'sk-ant-api03 0123456789abcdef', 'it holds white space'],
    ['with a newline', 'sk-ant-api03-0123456789abcdef\n', 'it holds white space'],
    ['too short', 'sk-ant-x', '8 characters, not 20 to 256'],
    ['too long', `sk-ant-${'x'.repeat(300)}`, '307 characters, not 20 to 256'],
    ['not printable', 'sk-ant-ключ-0123456789abc', 'not printable ASCII'],
    ['of another provider', 'pk-0123456789abcdefghij', 'does not begin with "sk-ant-"'],
  ])('HOSTEDLLM_API_KEY %s: refused without showing it', async (_how, key, why) => {
    const home = Home.open();
    const ran = await home.memd(['start'], { env: { HOSTEDLLM_API_KEY: key } });
    await expectRefusal(home, ran, 'HOSTEDLLM_API_KEY is malformed', why);
    const log = fs.readFileSync(home.workspace().daemonLog, 'utf8');
    for (const text of [ran.stderr, log]) expect(text).not.toContain(key.trim());
  });

  test('an unknown MEMD_DRAIN_BACKEND', async () => {
    const home = Home.open();
    const ran = await home.memd(['start'], { env: { MEMD_DRAIN_BACKEND: 'cloud' } });
    await expectRefusal(
      home,
      ran,
      'MEMD_DRAIN_BACKEND',
      'must be one of "auto", "local", "hosted", "builtin", not "cloud"',
    );
  });

  test('a LOCALLLM_HOST that is no address', async () => {
    const home = Home.open();
    const ran = await home.memd(['start'], { env: { LOCALLLM_HOST: 'not an address' } });
    await expectRefusal(home, ran, 'LOCALLLM_HOST', 'must be an http or https address');
  });
});

describe('a database that start refuses', () => {
  test('of a newer schema: both versions are named, and it is left as it is', async () => {
    const home = Home.open();
    await home.start();
    await home.capture({ tool: 'Read', input: {}, output: 'kept' });
    await home.memd(['stop']);
    const known = Number(home.rows('PRAGMA user_version')[0]?.user_version);
    home.operate('PRAGMA user_version = 4711');
    const ran = await home.memd(['start']);
    await expectRefusal(home, ran, home.workspace().database, 'schema 4711', `schemas up to ${known}`);
    expect(home.rows('SELECT count(*) AS n FROM events')).toEqual([{ n: 1 }]);
    expect(home.rows('PRAGMA user_version')).toEqual([{ user_version: 4711 }]);
  });
});

describe('a command line', () => {
  test.each([
    ['memd', ['--help']],
    ['memd', ['drain', '--help']],
    ['mem', ['--help']],
    ['mem', ['search', '--help']],
  ] as const)('%s %j: help with examples on stdout, exit 0', async (program, args) => {
    const home = Home.open();
    const ran = await home[program](args);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain(`Usage: ${program} `);
    expect(ran.stdout).toContain('Examples:');
  });

  test.each([
    ['memd', ['nonsense']],
    ['memd', ['start', '--nonsense']],
    ['memd', ['drain', '1', '2']],
    ['mem', ['show']],
    ['mem', ['pin', 'twelve']],
    ['mem', ['search', 'a', '-k', 'ten']],
  ] as const)(
    '%s %j is not understood: exit 2, said on stderr, and no daemon is started',
    async (program, args) => {
      const home = Home.open();
      const ran = await home[program](args);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toMatch(/^memd?: /);
      expect(home.daemons()).toEqual([]);
    },
  );

  test('a slip in a command is answered with the one that was meant', async () => {
    const ran = await Home.open().memd(['stat']);
    expect(ran.stderr).toContain('Did you mean start?');
  });

  test('without a terminal there is no colour and no progress in any output', async () => {
    const home = Home.open({ env: { MEMD_DRAIN_BACKEND: 'builtin', TERM: 'xterm-256color' } });
    const ran = [
      await home.memd(['up']),
      await home.memd(['info']),
      await home.memd(['logs']),
      await home.mem(['recent']),
    ];
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    for (const { stdout, stderr } of ran) expect(stdout + stderr).not.toMatch(/[\u001b\r]/);
  });

  test('a memory command without a daemon says `daemon: unreachable` and the repair, exit 1', async () => {
    const home = Home.open();
    await home.start();
    await home.memd(['stop']);
    const ran = await home.mem(['search', 'anything']);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(/^mem: daemon: unreachable \(connect ENOENT\).*`memd start`\.\n$/);
  });

  test('memd --version prints the version of info', async () => {
    const home = Home.open();
    const { version } = await home.info();
    expect(await home.memd(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
  });
});

describe('memd init', () => {
  test('puts the builtin summariser in force, saying so, and never prompts', async () => {
    const home = Home.open({ config: null });
    const ran = await home.memd(['init'], { input: null });
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('drain.fallback: "builtin"');
    expect(JSON.parse(fs.readFileSync(home.workspace().config, 'utf8'))).toEqual({
      drain: { fallback: 'builtin' },
    });
    expect(await home.memd(['drain'])).toMatchObject({ code: 0, stdout: '{"processed":0}\n' });
  });

  test('leaves what the user has set, and writes nothing over a file that is not valid', async () => {
    const home = Home.open({ config: { topK: 3 } });
    await home.memd(['init']);
    expect(JSON.parse(fs.readFileSync(home.workspace().config, 'utf8'))).toMatchObject({
      topK: 3,
      drain: { fallback: 'builtin' },
    });
    home.writeConfig('{ "topK": 3, }');
    expect(await home.memd(['init'])).toMatchObject({ code: 1 });
    expect(fs.readFileSync(home.workspace().config, 'utf8')).toBe('{ "topK": 3, }');
  });
});

describe('a HOME that memd cannot use', () => {
  /** Root may write everywhere but in the kernel's own folders. */
  const closed = (home: Home): string => {
    if (process.getuid?.() === 0) return '/sys';
    const folder = path.join(home.folder, 'closed');
    fs.mkdirSync(folder, { mode: 0o500 });
    return folder;
  };
  const file = (home: Home): string => {
    fs.writeFileSync(path.join(home.folder, 'file'), '');
    return path.join(home.folder, 'file');
  };
  const loop = (home: Home): string => {
    fs.symlinkSync('loop', path.join(home.folder, 'loop'));
    return path.join(home.folder, 'loop');
  };

  test.each([
    ['is closed', closed],
    ['is a file', file],
    ['is a loop of links', loop],
    ['is not there', (home: Home) => path.join(home.folder, 'nowhere')],
    ['is too long', () => `/${'x'.repeat(300)}`],
    ['is not absolute', () => 'somewhere'],
  ])('that %s is reported by every command with its cause and what to do', async (_what, homeOf) => {
    const home = Home.open();
    const env = { HOME: homeOf(home), CLAUDE_PROJECT_DIR: home.project };
    const ran: [string, Promise<Ran>][] = [
      ...[
        'up',
        'init',
        'start',
        'restart',
        'backfill',
        'drain',
        'web',
        'info',
        'logs',
        'focus',
        'monitor --once',
      ].map((words): [string, Promise<Ran>] => [`memd ${words}`, home.memd(words.split(' '), { env })]),
      ...['search x', 'recent', 'show 1', 'prune --confirm', 'export', 'forget 1'].map(
        (words): [string, Promise<Ran>] => [`mem ${words}`, home.mem(words.split(' '), { env })],
      ),
    ];
    for (const [words, one] of ran) {
      const { code, stderr } = await one;
      expect({ words, unexpected: /unexpected|\n {4}at /.test(stderr) }).toEqual({
        words,
        unexpected: false,
      });
      // What only looks may find nothing there.
      if (code !== 0 && stderr !== '')
        expect(`${words}: ${stderr}`).toMatch(
          /run `|set HOME|make it|mounted to be written|make room|move away|use /i,
        );
    }
    const hook = await home.hook({ tool: 'Read', input: {}, output: 'x', toolUseId: 'a' }, { env });
    expect([hook.code, hook.stdout]).toEqual([0, '']);
    expect(hook.stderr).not.toMatch(/\n {4}at /);
  });
});
