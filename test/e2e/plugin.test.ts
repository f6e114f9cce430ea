import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { type Ran, run } from '../support/run.ts';
import { until } from '../support/until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Handler {
  readonly type: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly timeout: number;
}
interface Hooks {
  readonly hooks: Readonly<Record<string, readonly { matcher?: string; hooks: readonly Handler[] }[]>>;
}
interface Servers {
  readonly mcpServers: Readonly<Record<string, Pick<Handler, 'command' | 'args'>>>;
}

/** The plugin as it is handed out: away from the repository and its packages. */
let plugin: string;
let hooks: Hooks['hooks'];
beforeAll(() => {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-plugin-')));
  plugin = path.join(folder, 'plug in', '0.1.0');
  const env = { ...process.env, MEMD_DIST: dist };
  execFileSync(process.execPath, [path.join(root, 'scripts/plugin.mjs'), plugin], { env });
  hooks = (json('hooks/hooks.json') as Hooks).hooks;
});
afterEach(closeHomes);
afterAll(() => {
  fs.rmSync(path.dirname(path.dirname(plugin)), { recursive: true, force: true });
  expect(leftBehind()).toEqual([]);
});

const json = (file: string): unknown => JSON.parse(fs.readFileSync(path.join(plugin, file), 'utf8'));

function inPlugin(text: string): string {
  return text.replace('${CLAUDE_PLUGIN_ROOT}', plugin);
}

function handlersOf(event: string): readonly Handler[] {
  return (hooks[event] ?? []).flatMap((entry) => entry.hooks);
}

/** Runs the one handler of an event as the client does: no shell, the project as its folder. */
function fire(home: Home, event: string, payload: JsonObject): Promise<Ran> {
  const [handler] = handlersOf(event);
  if (handler === undefined) throw new Error(`no handler for ${event}`);
  const input = JSON.stringify({ session_id: 's', hook_event_name: event, cwd: home.project, ...payload });
  const env = home.env({ CLAUDE_PLUGIN_ROOT: plugin, CLAUDE_PROJECT_DIR: home.project });
  return run(handler.command, handler.args.map(inPlugin), { cwd: home.project, env, input });
}

describe('the plugin folder', () => {
  test('has the version of the package, and the marketplace names it', () => {
    const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
    expect(json('.claude-plugin/plugin.json')).toMatchObject({ name: 'memd', version });
    const file = path.join(root, '.claude-plugin/marketplace.json');
    const marketplace: JsonObject = JSON.parse(fs.readFileSync(file, 'utf8'));
    expect(marketplace).toMatchObject({ name: 'memd', plugins: [{ name: 'memd', source: './plugin' }] });
  });

  test('runs its hooks without a shell, each from a file that is there, within seconds', () => {
    const all = Object.keys(hooks).flatMap(handlersOf);
    expect(all.length).toBeGreaterThan(3);
    for (const { type, command, args, timeout } of all) {
      const [file = '', ...words] = args;
      const isScript = file.endsWith('.sh');
      expect({ type, command }).toEqual({ type: 'command', command: isScript ? '/bin/sh' : 'node' });
      expect(fs.existsSync(inPlugin(file))).toBe(true);
      // A rule is said in the form of the client.
      expect(words).toEqual(file.endsWith('/boundary.cjs') ? ['--client', 'claude-code'] : []);
      // Seconds; what the hooks give themselves is below it.
      expect(timeout).toBeLessThanOrEqual(20);
    }
  });

  test('guards every tool that may write, and costs reading nothing', () => {
    const matcher = new RegExp(hooks.PreToolUse?.[0]?.matcher ?? '^$');
    const writing = [
      'Write',
      'Edit',
      'MultiEdit',
      'NotebookEdit',
      'Bash',
      'mcp__files__write_file',
      'ReadWrite',
    ];
    expect(writing.filter((tool) => !matcher.test(tool))).toEqual([]);
    const reading = ['Read', 'Grep', 'Glob', 'mcp__plugin_memd_memd__mem_search'];
    expect(reading.filter((tool) => matcher.test(tool))).toEqual([]);
  });
});

describe('elsewhere, in a fresh home', () => {
  test('a session begins, is captured, is remembered, and the tools find it', async () => {
    const home = Home.open({ config: null });
    const begun = await fire(home, 'SessionStart', { source: 'startup' });
    expect(begun).toMatchObject({ code: 0, stderr: '' });
    expect(home.daemons()).toHaveLength(1);

    const call = { tool_name: 'Bash', tool_input: { command: 'make mill' }, tool_use_id: 't1' };
    const done = { ...call, tool_response: { stdout: 'ground', stderr: '' } };
    expect(await fire(home, 'PostToolUse', done)).toMatchObject({ code: 0 });
    const failed = { ...call, tool_use_id: 't2', error: 'Exit code 2\nno grain' };
    expect(await fire(home, 'PostToolUseFailure', failed)).toMatchObject({ code: 0 });
    // With the budget of a fresh home a busy machine's calls may come a moment later.
    await until('two calls', () => home.rows('SELECT 1 FROM events').length === 2);

    const bin = (name: string, ...args: string[]): Promise<Ran> =>
      run(path.join(plugin, 'bin', name), args, { cwd: home.project, env: home.env() });
    expect(await bin('memd', 'init')).toMatchObject({ code: 0 });
    expect(await bin('memd', 'restart')).toMatchObject({ code: 0 });
    expect(await bin('memd', 'drain')).toMatchObject({ code: 0 });
    expect((await bin('mem', 'search', 'grain')).stdout).toContain('make mill');

    const server = (json('.mcp.json') as Servers).mcpServers.memd;
    if (server === undefined) throw new Error('no server');
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const messages = [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'mem_search', arguments: { query: 'grain' } },
      },
    ];
    const input = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
    const answered = await run(server.command, server.args.map(inPlugin), {
      ...{ cwd: home.project, env: home.env(), input },
    });
    expect(answered.stdout).toContain('make mill');

    const next = await fire(home, 'SessionStart', { source: 'startup', session_id: 'next' });
    expect(next.stdout).toMatch(/make mill/);
  });

  test('the boundary holds', async () => {
    const home = Home.open();
    fs.mkdirSync(path.join(home.project, '.memd'));
    fs.writeFileSync(path.join(home.project, '.memd/scope.json'), '{"allow": ["src/**"]}');
    const write = (file_path: string): Promise<Ran> =>
      fire(home, 'PreToolUse', {
        tool_name: 'Write',
        tool_input: { file_path, content: '' },
        tool_use_id: 't',
      });
    expect((await write(path.join(home.project, 'a'))).stdout).toContain('"permissionDecision":"deny"');
    expect(await write(path.join(home.project, 'src/a'))).toMatchObject({ code: 0, stdout: '' });
  });
});
