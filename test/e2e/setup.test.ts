import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { run } from '../support/run.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

/** No assistant on the PATH: those are found whose folder is there. */
const alone = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` };

/** A home with a blank in its name, and the folders of assistants in it. */
function withFolders(...folders: readonly string[]): Home {
  const home = Home.open({ name: 'my home', config: null, env: alone });
  for (const folder of folders) fs.mkdirSync(path.join(home.home, folder), { recursive: true });
  return home;
}

const textOf = (home: Home, file: string): string => fs.readFileSync(path.join(home.home, file), 'utf8');

/** A session of Claude Code: a wish, an edit, and a check that failed and then passed. */
function session(home: Home): void {
  const folder = path.join(home.home, '.claude/projects', home.project.replace(/[^a-zA-Z0-9]/g, '-'));
  fs.mkdirSync(folder, { recursive: true });
  const at = { cwd: home.project, sessionId: 's1', timestamp: '2026-02-01T10:00:00.000Z' };
  const call = (id: string, name: string, input: object, result: string, failed = false): object[] => [
    {
      ...at,
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    },
    {
      ...{ ...at, type: 'user' },
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: result, is_error: failed }],
      },
    },
  ];
  const edit = { file_path: `${home.project}/src/ferry.ts`, old_string: 'a', new_string: 'const ferry = 7;' };
  const records = [
    {
      ...at,
      type: 'user',
      uuid: 'm1',
      message: { role: 'user', content: 'Keep the timetable of the ferry in one file.' },
    },
    ...call('c1', 'Bash', { command: 'npm test' }, 'Exit code 1\n1 failed', true),
    ...call('c2', 'Edit', edit, 'ok'),
    ...call('c3', 'Bash', { command: 'npm test' }, '12 passed'),
  ];
  fs.writeFileSync(path.join(folder, 's1.jsonl'), records.map((one) => `${JSON.stringify(one)}\n`).join(''));
}

describe('memd setup', () => {
  test('connects every assistant, imports, and ends with questions that the memory answers; again without harm', async () => {
    const home = withFolders('.claude', '.gemini');
    session(home);
    const first = await home.memd(['setup', '--yes', '--json']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const done = JSON.parse(first.stdout);
    expect(done).toMatchObject({
      ok: true,
      assistants: [{ client: 'claude-code' }, { client: 'gemini-cli' }],
      sessions: [{ client: 'claude-code', sessions: 1, days: 1 }],
      backfill: { captured: 4 },
      memories: 4,
    });
    expect(done.questions).toContain('what fixed npm test');
    expect(done.questions).toContain('why did we change ferry.ts');
    for (const query of done.questions) {
      const found = await home.mem(['search', query, '--json']);
      expect(JSON.parse(found.stdout).hits).not.toEqual([]);
    }
    expect(textOf(home, '.claude/settings.json')).toContain('capture-observation');
    expect(textOf(home, '.gemini/settings.json')).toContain('capture-observation');

    const again = await home.memd(['setup', '--yes']);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain('connected already');
    expect(again.stdout).toContain('Imported 0 events');
    expect(again.stdout).toContain('  mem search "what fixed npm test"');
  });

  test('one assistant that cannot be changed does not stop the others', async () => {
    const home = withFolders('.claude', '.gemini', '.qwen');
    fs.writeFileSync(path.join(home.home, '.gemini/settings.json'), '{ "hooks": ');
    const { code, stdout, stderr } = await home.memd(['setup', '--yes']);
    expect(code).toBe(1);
    expect(stdout).toContain('cannot be changed');
    expect(stderr).toContain('Gemini CLI');
    expect(textOf(home, '.gemini/settings.json')).toBe('{ "hooks": ');
    for (const file of ['.claude/settings.json', '.qwen/settings.json'])
      expect(textOf(home, file)).toContain('capture-observation');
    expect(home.daemons()).toHaveLength(1);
  });

  test('changes nothing in a dry run, nor without a terminal to ask on', async () => {
    const home = withFolders('.claude', '.codex');
    const dry = await home.memd(['setup', '--dry-run']);
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.stdout).toContain(`+++ ${home.home}/.claude/settings.json`);
    // What each gets, in one line.
    expect(dry.stdout).toMatch(
      /^ {2}Claude Code +\d+ hooks and 1 server in ~\/\.claude\/settings\.json \(new\) and ~\/\.claude\.json \(new\)$/m,
    );
    expect(dry.stdout).toMatch(/^ {2}Codex +\d+ hooks and 1 server in ~\//m);
    const asked = await home.memd(['setup']);
    expect(asked).toMatchObject({ code: 1 });
    expect(asked.stderr).toContain('`memd setup --yes`');
    expect(dry.stdout).toContain('+++ ');
    expect(asked.stdout).not.toContain('+++ ');
    const planned = await home.memd(['setup', '--json']);
    expect(planned.code).toBe(1);
    expect(JSON.parse(planned.stdout)).toMatchObject({ ok: false, dryRun: true });
    expect(fs.readdirSync(home.home).sort()).toEqual(['.claude', '.codex']);
    expect(home.daemons()).toEqual([]);
  });

  test('takes only the assistants that are named, also one that is not there yet', async () => {
    const home = withFolders('.claude', '.gemini');
    const { code } = await home.memd(['setup', '--yes', '--only', 'gemini, qwen-code']);
    expect(code).toBe(0);
    expect(fs.existsSync(path.join(home.home, '.claude/settings.json'))).toBe(false);
    expect(textOf(home, '.qwen/settings.json')).toContain('capture-observation');
    const wrong = await home.memd(['setup', '--only', 'gemimi']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('Did you mean "gemini"?');
  });

  test("leaves Claude Code to memd's plugin", async () => {
    const home = withFolders('.claude');
    const settings = '{ "enabledPlugins": { "memd@memd": true } }';
    fs.writeFileSync(path.join(home.home, '.claude/settings.json'), settings);
    const { code, stdout } = await home.memd(['setup', '--yes']);
    expect(code).toBe(0);
    expect(stdout).toContain("memd's plugin records it already");
    expect(textOf(home, '.claude/settings.json')).toBe(settings);
  });

  test('is what the package does under its own name', async () => {
    const home = withFolders('.claude');
    const options = { cwd: home.project, env: home.env() };
    const named = await run(process.execPath, [path.join(dist, 'memdaemon.cjs')], options);
    expect(named.stdout).toContain('memd setup');
    const help = await run(process.execPath, [path.join(dist, 'memdaemon.cjs'), 'info', '--help'], options);
    expect(help.stdout).toContain('Usage: memd info');
  });

  test.skipIf(spawnSync('script', ['--version']).status !== 0)('asks once on a terminal', async () => {
    const home = withFolders('.codex');
    const answered = (answer: string) => {
      const line = `${process.execPath} '${path.join(dist, 'memd.cjs')}' setup`;
      const options = { cwd: home.project, env: home.env(), input: `${answer}\n`, encoding: 'utf8' } as const;
      return spawnSync('script', ['-qec', line, '/dev/null'], options);
    };
    const refused = answered('');
    expect(refused.stdout).toContain('Go on? [y/N]');
    expect(refused.stdout).not.toContain('+++ ');
    expect(fs.existsSync(path.join(home.home, '.memd'))).toBe(false);
    expect(answered('y')).toMatchObject({ status: 0 });
    expect(textOf(home, '.codex/hooks.json')).toContain('capture-observation');
  });
});

describe('memd install --all', () => {
  test('installs in every assistant on this machine, and keeps the options of an installation', async () => {
    const home = withFolders('.claude', '.qwen');
    expect((await home.memd(['install', 'claude-code', '--guard', 'block'])).code).toBe(0);
    const before = textOf(home, '.claude/settings.json');
    const { code, stdout } = await home.memd(['install', '--all']);
    expect(code).toBe(0);
    expect(stdout).toContain('Claude Code: nothing to change');
    expect(textOf(home, '.claude/settings.json')).toBe(before);
    expect(textOf(home, '.qwen/settings.json')).toContain('capture-observation');
    expect(fs.existsSync(path.join(home.home, '.memd'))).toBe(false);
    const guarded = await home.memd(['install', '--all', '--guard', 'warn', '--dry-run', '--json']);
    expect(JSON.parse(guarded.stdout)).toMatchObject({
      dryRun: true,
      clients: [{ diff: expect.stringContaining('warn') }, { diff: expect.stringContaining('warn') }],
    });
    expect((await home.memd(['install', '--all', 'codex'])).code).toBe(2);
  });
});

test('memd up says that nothing is recorded while no assistant is connected', async () => {
  const home = withFolders('.claude');
  expect((await home.memd(['up'])).stderr).toContain('no assistant is connected');
  expect((await home.memd(['install', '--all'])).code).toBe(0);
  expect((await home.memd(['up'])).stderr).toBe('');
});
