import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { preToolShapes } from '../support/pre-tool-payloads.ts';
import { type Ran, run } from '../support/run.ts';
import { until } from '../support/until.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

interface Asked {
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly script?: string;
}

function ask(home: Home, payload: JsonObject | string, asked: Asked = {}): Promise<Ran> {
  const { args = [], cwd = home.project, env = {}, script = 'boundary.cjs' } = asked;
  const input = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return run(process.execPath, [path.join(dist, script), ...args], { cwd, env: home.env(env), input });
}

function write(file: string): JsonObject {
  return {
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path: file },
    session_id: 's',
  };
}

function withScope(scope: object | string): Home {
  const home = Home.open();
  fs.mkdirSync(path.join(home.project, '.memd'));
  const text = typeof scope === 'string' ? scope : JSON.stringify(scope);
  fs.writeFileSync(path.join(home.project, '.memd/scope.json'), text);
  fs.mkdirSync(path.join(home.project, 'src'));
  return home;
}

const silence = { code: 0, stdout: '', stderr: '' };

describe.each(preToolShapes)('$client', ({ command, write: writing, reason }) => {
  test('is denied in its own form, and allowed in silence', async () => {
    const home = withScope({ allow: ['src/**'], deny: ['**/.env'] });
    const { project } = home;
    const denied = [
      command('echo x > src/.env', project),
      command('cd src && sed -i s/a/b/ ../package.json', project),
      command('rm -rf .memd', project),
      ...(writing === null
        ? []
        : [
            writing('src/../a', project),
            writing(path.join(project, '.memd/scope.json'), project),
            // A file system takes these as paths, whatever they look like.
            writing('https://../lib/a', project),
            writing('x://../../outside', project),
            writing('vscode-remote://x/lib/a', project),
          ]),
    ];
    const allowed = [
      command('npm test 2>&1 | tee src/capture/log > /dev/null', project),
      ...(writing === null ? [] : [writing(path.join(project, 'src/a.ts'), project)]),
    ];
    for (const payload of denied) {
      const { code, stdout, stderr } = await ask(home, payload);
      const answer: JsonObject = stdout === '' ? {} : JSON.parse(stdout);
      expect(reason(answer, stderr), `${JSON.stringify(payload)} ${stderr}`).toMatch(
        /^memd: .+ may not be written: .+scope\.json/,
      );
      expect(code).toBe(stdout === '' ? 2 : 0);
    }
    for (const payload of allowed)
      expect(await ask(home, payload), JSON.stringify(payload)).toMatchObject(silence);
  });
});

describe('the rules that count', () => {
  test('are those of CLAUDE_PROJECT_DIR, in any folder of the shell', async () => {
    const home = withScope({ allow: ['src/**'] });
    const payload = { ...write(path.join(home.project, 'a')), cwd: home.folder };
    const env = { CLAUDE_PROJECT_DIR: home.project };
    expect((await ask(home, payload, { cwd: home.folder, env })).stdout).toContain('"deny"');
    expect(await ask(home, payload, { cwd: home.folder })).toMatchObject(silence);
    const gone = { CLAUDE_PROJECT_DIR: path.join(home.folder, 'gone') };
    expect((await ask(home, payload, { env: gone })).stdout).toContain('"deny"');
  });

  test('do not hold for tools that read, for events after the call, and without a scope file', async () => {
    const home = withScope({ allow: [] });
    const others = [
      { hook_event_name: 'PreToolUse', tool_name: 'Read', tool_input: { file_path: 'a' } },
      { hook_event_name: 'PreToolUse', tool_name: 'mcp__files__read_file', tool_input: { path: 'a' } },
      {
        hook_event_name: 'PreToolUse',
        tool_name: 'str_replace_editor',
        tool_input: { command: 'view', path: 'a' },
      },
      { hook_event_name: 'PreToolUse', tool_name: 'TodoWrite', tool_input: { todos: [] } },
      { ...write('a'), hook_event_name: 'PostToolUse' },
      { hook_event_name: 'UserPromptSubmit', prompt: 'write a' },
    ];
    for (const payload of others) expect(await ask(home, payload)).toMatchObject(silence);
    expect((await ask(home, write('a'))).stdout).toContain('"deny"');
    fs.rmSync(path.join(home.project, '.memd/scope.json'));
    expect(await ask(home, write('a'))).toMatchObject(silence);
  });

  test('that do not parse are not enforced, and that is said by the hook, info, doctor and the log', async () => {
    const home = withScope('{"deny": ["**"],}');
    const { code, stdout, stderr } = await ask(home, write('a'));
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/the boundary is NOT in force: .*scope\.json: it is not JSON/);
    const invalid = { state: 'invalid', error: expect.stringContaining('not JSON') };
    expect((await home.info()).scope).toEqual(invalid);
    await home.start();
    expect((await home.info()).scope).toEqual(invalid);
    expect((await home.memd(['info'])).stdout).toMatch(/scope\s+\.memd\/scope\.json is NOT in force/);
    const doctor = await home.memd(['doctor']);
    expect(doctor).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/error\s+scope: The boundary is NOT in force/),
    });
    const log = (): string => fs.readFileSync(home.workspace().daemonLog, 'utf8');
    await until('the log', () => log().includes('the boundary is NOT in force'));
    expect((await home.memd(['scope', 'check', 'a'])).stderr).toContain('NOT in force');
    fs.writeFileSync(path.join(home.project, '.memd/scope.json'), '{"allow": ["src/**"], "deny": ["x"]}');
    expect((await home.info()).scope).toEqual({ state: 'on', allow: ['src/**'], deny: ['x'] });
    expect((await home.memd(['doctor'])).code).toBe(0);
  });
});

describe('memd scope', () => {
  test('init writes a first file once, and check explains it', async () => {
    const home = Home.open();
    const file = path.join(home.project, '.memd/scope.json');
    fs.mkdirSync(path.join(home.project, '.git'));
    expect(await home.memd(['scope', 'check', '.env'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('nothing is denied'),
    });
    expect(await home.memd(['scope', 'init'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(file),
    });
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, '{"deny": ["mine"]}');
    expect((await home.memd(['scope', 'init'])).stdout).toContain('exists and was not changed');
    expect(fs.readFileSync(file, 'utf8')).toBe('{"deny": ["mine"]}');
    fs.writeFileSync(file, text);
    expect(await home.memd(['scope', 'check', 'src/a.ts'])).toMatchObject({ code: 0 });
    expect(await home.memd(['scope', 'check', 'a', 'sub/../.ENV'])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^allowed a .*\ndenied {2}sub\/\.\.\/\.ENV \(.*project\/\.ENV\): by deny "\*\*\/\.env"\n$/,
      ),
    });
    const json = await home.memd(['scope', 'check', '--json', '.memd/scope.json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      file,
      results: [{ path: '.memd/scope.json', real: file, isAllowed: false, by: 'scope', rule: null }],
    });
    expect((await home.memd(['scope'])).code).toBe(2);
    expect((await home.memd(['scope', 'check'])).code).toBe(2);
  });
});

describe('the guard', () => {
  const guard = (home: Home, mode: string, payload: JsonObject = write('a')): Promise<Ran> =>
    ask(home, payload, { args: ['--mode', mode], script: 'guard.cjs' });

  test('is silent while the daemon answers, and warns or blocks when it does not', async () => {
    const home = Home.open();
    expect(await guard(home, 'warn')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"systemMessage"'),
    });
    expect((await guard(home, 'block')).stdout).toContain('"deny"');
    const pid = await home.start();
    expect(await guard(home, 'block')).toMatchObject(silence);
    process.kill(pid, 'SIGSTOP');
    const hung = await guard(home, 'block');
    process.kill(pid, 'SIGCONT');
    expect(hung.stdout).toContain('no answer within 1500 ms');
    await home.memd(['stop']);
    expect((await guard(home, 'block')).stdout).toContain('Run `memd start`.');
  });

  test('lets through what brings the daemon back, and nothing else with it', async () => {
    const home = Home.open();
    const bash = (command: string): JsonObject => ({
      ...write('a'),
      tool_name: 'Bash',
      tool_input: { command },
    });
    for (const command of ['memd start', ' npx memd restart', 'memd doctor --fix']) {
      expect((await guard(home, 'block', bash(command))).stdout, command).not.toContain('"deny"');
    }
    for (const command of [
      'memd start; rm a',
      'memd start && x',
      'memd drain',
      'memd start $(x)',
      'memd start\nx',
    ]) {
      expect((await guard(home, 'block', bash(command))).stdout, command).toContain('"deny"');
    }
  });

  test.each(preToolShapes)('answers $client in its own form', async ({ command, reason }) => {
    const home = Home.open();
    const { stdout, stderr } = await guard(home, 'block', command('ls', home.project));
    const answer: JsonObject = stdout === '' ? {} : JSON.parse(stdout);
    expect(reason(answer, stderr)).toMatch(/^memd: the daemon does not answer/);
  });
});
