import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import {
  claudeHooks,
  codexHooks,
  copilotHooks,
  cursorHooks,
  geminiHooks,
  opencodeHooks,
  qwenHooks,
} from '../support/clients/hooks.ts';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { preToolShapes } from '../support/pre-tool-payloads.ts';
import { type Ran, run } from '../support/run.ts';
import { isAll, slowSuite } from '../support/slow.ts';

/** The built programs in a folder whose name a shell would take apart. */
let programs: string;
let place: string;
beforeAll(() => {
  place = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-install-')));
  const folder = path.join(place, `it's "memd" \${HOME} $HOME \`x\``);
  programs = path.join(folder, 'dist');
  fs.cpSync(dist, programs, { recursive: true });
  fs.symlinkSync(
    fileURLToPath(new URL('../../node_modules', import.meta.url)),
    path.join(folder, 'node_modules'),
  );
});
afterEach(closeHomes);
afterAll(() => {
  fs.rmSync(place, { recursive: true, force: true });
  expect(leftBehind()).toEqual([]);
});

type Loose = Readonly<Record<string, unknown>>;
const object = (value: unknown): Loose =>
  typeof value === 'object' && value !== null ? (value as Loose) : {};
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

interface Case {
  readonly client: string;
  /** Existing files, by their path below the home; with a remark where the client allows one. */
  readonly files: Readonly<Record<string, string>>;
  readonly hooks: string;
  readonly start: readonly [event: string, payload: JsonObject];
  readonly before: string;
  readonly after: readonly (readonly [event: string, payload: JsonObject])[];
  /** Where our server stands: the file, and the names on the way to it. */
  readonly server: readonly string[];
}

const started = { hook_event_name: 'SessionStart', session_id: 's', source: 'startup' };
const piCall = { toolName: 'bash', toolCallId: 'call_1', input: { command: 'make' } };

const clineCall = (toolCallId: string): JsonObject => ({
  toolCall: { toolName: 'run_commands', toolCallId },
  input: { commands: ['make'] },
});

const cases: readonly Case[] = [
  {
    client: 'claude-code',
    files: {
      '.claude/settings.json':
        '{\n    "model": "opus",\n    "hooks": {\n        "PostToolUse": [\n            { "matcher": "Edit", "hooks": [{ "type": "command", "command": "prettier" }] }\n        ]\n    }\n}',
      '.claude.json': '{"numStartups":12,"mcpServers":{},"projects":{"/home/ada":{"history":["a"]}}}',
    },
    hooks: '.claude/settings.json',
    start: ['SessionStart', started],
    before: 'PreToolUse',
    after: [
      ['PostToolUse', claudeHooks.bash],
      ['PostToolUseFailure', claudeHooks.bashFailed],
    ],
    server: ['.claude.json', 'mcpServers'],
  },
  {
    client: 'codex',
    files: {
      '.codex/hooks.json':
        '{\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }]\n  }\n}\n',
      '.codex/config.toml': 'model = "m" # mine\n\n[projects."/home/ada/mill"]\ntrust_level = "trusted"',
    },
    hooks: '.codex/hooks.json',
    start: ['SessionStart', started],
    before: 'PreToolUse',
    after: [['PostToolUse', codexHooks.bash]],
    server: ['.codex/config.toml'],
  },
  {
    client: 'gemini-cli',
    files: {
      '.gemini/settings.json':
        '{\n\t// the look\n\t"ui": { "theme": "Dark" },\n\t"mcpServers": { /* none */ }\n}\n',
    },
    hooks: '.gemini/settings.json',
    start: ['SessionStart', started],
    before: 'BeforeTool',
    after: [['AfterTool', geminiHooks.shell]],
    server: ['.gemini/settings.json', 'mcpServers'],
  },
  {
    client: 'qwen-code',
    files: { '.qwen/settings.json': '{\r\n  "model": { "name": "q" }, // mine\r\n  "tools": {},\r\n}\r\n' },
    hooks: '.qwen/settings.json',
    start: ['SessionStart', started],
    before: 'PreToolUse',
    after: [
      ['PostToolUse', qwenHooks.edit],
      ['PostToolUseFailure', qwenHooks.shellFailed],
    ],
    server: ['.qwen/settings.json', 'mcpServers'],
  },
  {
    client: 'copilot-cli',
    files: {
      '.copilot/mcp-config.json':
        '{\n  "mcpServers": {\n    "other": { "type": "local", "command": "x", "args": [], "tools": ["*"] }\n  }\n}\n',
      '.copilot/hooks/mine.json': '{ "version": 1, "hooks": {} }',
    },
    hooks: '.copilot/hooks/memd.json',
    start: ['sessionStart', { sessionId: 's', timestamp: 1, cwd: '/', source: 'new' }],
    before: 'preToolUse',
    after: [
      ['postToolUse', copilotHooks.bashFailed],
      ['postToolUseFailure', copilotHooks.viewFailed],
    ],
    server: ['.copilot/mcp-config.json', 'mcpServers'],
  },
  {
    client: 'cursor',
    files: { '.cursor/hooks.json': '{"version":1,"hooks":{"stop":[{"command":"./done.sh"}]}}' },
    hooks: '.cursor/hooks.json',
    start: ['sessionStart', { hook_event_name: 'sessionStart', conversation_id: 's' }],
    before: 'preToolUse',
    after: [['postToolUse', cursorHooks.use]],
    server: ['.cursor/mcp.json', 'mcpServers'],
  },
  {
    client: 'opencode',
    files: {
      '.config/opencode/opencode.jsonc':
        '{\n  "$schema": "https://opencode.ai/config.json", // the schema\n  "theme": "nord",\n}\n',
    },
    hooks: '.config/opencode/plugins/memd.js',
    start: ['start', {}],
    before: 'tool.execute.before',
    after: [['tool.execute.after', opencodeHooks.bash]],
    server: ['.config/opencode/opencode.jsonc', 'mcp'],
  },
  {
    client: 'kilo',
    files: { '.config/kilo/kilo.json': '{ "theme": "nord" }\n' },
    hooks: '.config/kilo/plugins/memd.js',
    start: ['start', {}],
    before: 'tool.execute.before',
    after: [['tool.execute.after', opencodeHooks.bash]],
    server: ['.config/kilo/kilo.json', 'mcp'],
  },
  {
    client: 'pi',
    files: { '.pi/agent/extensions/mine.js': 'export default () => {};\n' },
    hooks: '.pi/agent/extensions/memd.js',
    start: ['session_start', { reason: 'startup' }],
    before: 'tool_call',
    after: [
      ['tool_result', { ...piCall, content: [{ type: 'text', text: 'made' }], isError: false }],
      [
        'tool_result',
        { ...piCall, toolCallId: 'call_2', content: [{ type: 'text', text: 'no' }], isError: true },
      ],
    ],
    server: ['.pi/agent/extensions/memd.js'],
  },
  {
    client: 'cline',
    // A hook file of an event that memd's plugin has as well.
    files: { '.cline/hooks/PreToolUse': '#!/bin/sh\ncat >/dev/null\n' },
    hooks: '.cline/plugins/memd.js',
    start: ['setup', {}],
    before: 'beforeTool',
    after: [
      ['afterTool', { ...clineCall('call_1'), result: { output: [{ result: 'made', success: true }] } }],
      ['afterTool', { ...clineCall('call_2'), result: { output: { error: 'no' }, isError: true } }],
    ],
    server: ['.cline/plugins/memd.js'],
  },
];

function open(files: Readonly<Record<string, string>>): Home {
  const home = Home.open({ name: "ada's home" });
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(home.home, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }
  return home;
}

/** Every file and folder of the home but the memory's own, with its mode and bytes. */
function tree(home: Home): Record<string, string> {
  const names = fs.readdirSync(home.home, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    names
      .filter((name) => !/^\.memd(?:\/|$)/.test(name))
      .map((name) => {
        const file = path.join(home.home, name);
        const stat = fs.lstatSync(file);
        const content = stat.isFile()
          ? fs.readFileSync(file, 'latin1')
          : stat.isSymbolicLink()
            ? fs.readlinkSync(file)
            : '';
        return [name, `${stat.mode.toString(8)} ${content}`];
      }),
  );
}

function memd(home: Home, ...args: string[]): Promise<Ran> {
  return run(process.execPath, [path.join(programs, 'memd.cjs'), ...args], {
    cwd: home.project,
    env: home.env(),
  });
}

/** Without comments and commas too many, as the clients that allow them read it. */
function loose(file: string): Loose {
  const plain = fs
    .readFileSync(file, 'utf8')
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '$1')
    .replace(/,(\s*[}\]])/g, '$1');
  return object(JSON.parse(plain));
}

/** Runs all of memd's hooks of an event as the client does. */
async function fire(home: Home, { client, hooks }: Case, event: string, payload: JsonObject): Promise<Ran[]> {
  const file = path.join(home.home, hooks);
  if (client === 'opencode' || client === 'kilo') return [await firePlugin(home, file, event, payload)];
  if (client === 'pi') return [await fireExtension(home, file, event, payload)];
  if (client === 'cline') return [await fireHook(home, file, event, payload)];
  const groups = list(object(loose(file).hooks)[event]).map(object);
  const handlers = groups.flatMap((group) => ('hooks' in group ? list(group.hooks).map(object) : [group]));
  const own = handlers.filter((handler) => JSON.stringify(handler).includes('--client'));
  const input = JSON.stringify(payload);
  return Promise.all(
    own.map((handler) => {
      if (Array.isArray(handler.args))
        return run(text(handler.command), handler.args.map(text), {
          cwd: home.project,
          env: home.env(),
          input,
        });
      const command = text(handler.command ?? handler.bash);
      // Cursor runs a user's hooks in its own folder, and names the project by a variable.
      const isCursor = client === 'cursor';
      const env = home.env(isCursor ? { CLAUDE_PROJECT_DIR: home.project } : {});
      const cwd = isCursor ? path.join(home.home, '.cursor') : home.project;
      return run('/bin/sh', ['-c', command], { cwd, env, input });
    }),
  );
}

/** OpenCode's own runtime takes a file as a module whatever its name ends in. */
function firePlugin(home: Home, file: string, event: string, payload: JsonObject): Promise<Ran> {
  const module = path.join(home.folder, 'plugin.mjs');
  fs.copyFileSync(file, module);
  const script = `
    const exported = Object.values(await import(${JSON.stringify(module)}));
    if (exported.length !== 1) throw new Error('one export is one plugin');
    const hooks = await exported[0]({ directory: process.cwd() });
    const { input, output } = ${JSON.stringify(payload)};
    try { await hooks[${JSON.stringify(event)}]?.(input, output); } catch (error) { console.log(JSON.stringify({ decision: 'deny', reason: error.message })); }`;
  return run(process.execPath, ['--input-type=module', '-e', script], { cwd: home.project, env: home.env() });
}

/** What Pi does with an extension, for one event; the answer of its handler is put out where it has one. */
function fireExtension(home: Home, file: string, event: string, payload: JsonObject): Promise<Ran> {
  const module = path.join(home.folder, 'extension.mjs');
  fs.copyFileSync(file, module);
  const { tool_name: toolName, tool_input: input, ...rest } = payload;
  const sent = toolName === undefined ? rest : { ...rest, toolName, input, toolCallId: 'call_1' };
  const script = `
    const handlers = {};
    const { default: extension } = await import(${JSON.stringify(module)});
    extension({ on: (name, handler) => { handlers[name] = handler; }, registerTool: () => {} });
    const sessionManager = { getSessionId: () => 's1', getSessionFile: () => undefined };
    const ctx = { cwd: process.cwd(), sessionManager, ui: { notify: () => {} } };
    const answer = await handlers[${JSON.stringify(event)}](${JSON.stringify(sent)}, ctx);
    if (answer !== undefined) console.log(JSON.stringify(answer));
    await handlers.session_shutdown({ reason: 'quit' }, ctx);`;
  return run(process.execPath, ['--input-type=module', '-e', script], { cwd: home.project, env: home.env() });
}

/** What Cline does with a plugin, for one event; the answer of its hook is put out where it has one. */
function fireHook(
  home: Home,
  file: string,
  event: string,
  { preToolUse, ...rest }: JsonObject,
): Promise<Ran> {
  const module = path.join(home.folder, 'cline-plugin.mjs');
  fs.copyFileSync(file, module);
  const { toolName, parameters: input } = object(preToolUse);
  const sent = preToolUse === undefined ? rest : { toolCall: { toolName, toolCallId: 'call_1' }, input };
  const script = `
    const { default: plugin } = await import(${JSON.stringify(module)});
    const tools = [];
    const api = { registerTool: ({ name }) => tools.push(name), registerRule: () => {} };
    plugin.setup(api, { session: { sessionId: 's1' }, workspaceInfo: { rootPath: process.cwd() } });
    if (!tools.includes('mem_search')) throw new Error('the build has listed no tools');
    const answer = await plugin.hooks[${JSON.stringify(event)}]?.({ snapshot: { messages: [] }, ...${JSON.stringify(sent)} });
    if (answer !== undefined) console.log(JSON.stringify(answer));`;
  return run(process.execPath, ['--input-type=module', '-e', script], { cwd: home.project, env: home.env() });
}

describe.each(isAll ? cases : cases.slice(0, 2))('$client', (one) => {
  const { client, files, start, before, after, server } = one;

  test('is installed, captures, is kept within the rules, and is taken out to the byte', async () => {
    const home = open(files);
    const former = tree(home);
    const dry = await memd(home, 'install', client, '--dry-run');
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.stdout).toMatch(
      /^\d+ (?:hooks?|plugins?|servers?).*; nothing of yours changes\n--- .*\n\+\+\+ .*\n@@ /,
    );
    expect(tree(home)).toEqual(former);

    const installed = await memd(home, 'install', client, '--json');
    expect(installed).toMatchObject({ code: 0 });
    const report = JSON.parse(installed.stdout);
    expect(report).toMatchObject({ ok: true, client });
    expect(report.notes.length).toBeGreaterThan(0);
    for (const { file, action, backup } of report.files) {
      const name = path.relative(home.home, file);
      expect(action).toBe(name in files ? 'changed' : 'created');
      if (action === 'changed') expect(fs.readFileSync(backup, 'utf8')).toBe(files[name]);
      expect(fs.statSync(file).mode & 0o777).toBe(action === 'created' ? 0o600 : 0o644);
    }
    const once = tree(home);
    expect(await memd(home, 'install', client)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('nothing to change'),
    });
    expect(tree(home)).toEqual(once);

    await fire(home, one, ...start);
    await home.start();
    for (const [event, payload] of after) {
      for (const { code, stdout, stderr } of await fire(home, one, event, payload)) {
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        expect(stdout.replace('{"ok":true}\n', '')).toBe('');
      }
    }
    await expect
      .poll(() => home.rows('SELECT client FROM events').map((row) => row.client))
      .toEqual(after.map(() => client));
    const answers = await fire(home, one, before, plannedWrite(client, home));
    expect(answers.map(({ stdout, code }) => ({ stdout, code }))).toEqual([{ stdout: '', code: 0 }]);
    fs.mkdirSync(path.join(home.project, '.memd'));
    fs.writeFileSync(path.join(home.project, '.memd/scope.json'), '{"deny": ["secret.txt"]}');
    const [denied] = await fire(home, one, before, plannedWrite(client, home));
    expect(denied?.stdout).toMatch(/secret\.txt/);
    expect(denied?.stdout).toMatch(/deny/);

    const [command, ...args] = serverWords(path.join(home.home, server[0] ?? ''), server[1]);
    const ping = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`;
    const answered = await run(command ?? '', args, { cwd: home.project, env: home.env(), input: ping });
    expect(JSON.parse(answered.stdout)).toMatchObject({ id: 1, result: {} });

    expect(await memd(home, 'uninstall', client)).toMatchObject({ code: 0 });
    expect(tree(home)).toEqual(former);
    expect(await memd(home, 'uninstall', client)).toMatchObject({
      stdout: expect.stringContaining('nothing to change'),
    });
  });
});

function plannedWrite(client: string, home: Home): JsonObject {
  const shape = preToolShapes.find((known) => known.client === client);
  return shape?.write?.(path.join(home.project, 'secret.txt'), home.project) ?? {};
}

function serverWords(file: string, under: string | undefined): string[] {
  const [, words] =
    /^const server = \[\n {2}\{ words: (\[.*\]), timeoutMs/m.exec(fs.readFileSync(file, 'utf8')) ?? [];
  if (words !== undefined) return list(JSON.parse(words)).map(text);
  if (under === undefined) {
    const lines = fs.readFileSync(file, 'utf8').split('\n');
    const value = (key: string): unknown =>
      JSON.parse(lines.find((line) => line.startsWith(`${key} = `))?.slice(key.length + 3) ?? 'null');
    return [text(value('command')), ...list(value('args')).map(text)];
  }
  const { command, args } = object(object(loose(file)[under]).memd);
  return Array.isArray(command) ? command.map(text) : [text(command), ...list(args).map(text)];
}

slowSuite('memd install', () => {
  test('without a name lists what is on the machine; an unknown name is exit 2 with the nearest', async () => {
    const home = open({ '.gemini/settings.json': '{}', '.codex/config.toml': 'x =\n[' });
    const listed = JSON.parse((await memd(home, 'install', '--json')).stdout);
    const states = Object.fromEntries(
      listed.clients.map((one: Loose) => [one.client, [one.found, one.state]]),
    );
    expect(states).toMatchObject({
      'gemini-cli': [true, 'not-installed'],
      codex: [true, 'unreadable'],
      cursor: [false, 'not-installed'],
    });
    await memd(home, 'install', 'gemini', '--guard', 'block');
    const words = await memd(home, 'install');
    expect(words.stdout).toMatch(
      /^codex +its settings cannot be read: .*config\.toml line 1.*\ngemini-cli +connected\n$/,
    );
    const unknown = await memd(home, 'install', 'cluade');
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.stderr).toContain('Did you mean "claude"?');
    expect((await memd(home, 'install', 'vim')).stderr).toContain('Unknown assistant. Known: claude-code');
    expect(await memd(home, 'uninstall')).toMatchObject({ code: 2 });
  });

  test("follows the clients' own variables, and links to a folder of dotfiles", async () => {
    const home = open({ 'dotfiles/settings.json': '{"theme": "x"}' });
    fs.chmodSync(path.join(home.home, 'dotfiles/settings.json'), 0o640);
    fs.mkdirSync(path.join(home.home, '.gemini'));
    fs.symlinkSync('../dotfiles/settings.json', path.join(home.home, '.gemini/settings.json'));
    const former = tree(home);
    await memd(home, 'install', 'gemini-cli');
    const target = path.join(home.home, 'dotfiles/settings.json');
    expect(fs.readFileSync(target, 'utf8')).toContain('boundary.cjs');
    expect(fs.statSync(target).mode & 0o777).toBe(0o640);
    expect(fs.lstatSync(path.join(home.home, '.gemini/settings.json')).isSymbolicLink()).toBe(true);
    expect(fs.readdirSync(path.join(home.home, 'dotfiles'))).toEqual(['settings.json']);
    await memd(home, 'uninstall', 'gemini-cli');
    expect(tree(home)).toEqual(former);

    const elsewhere = path.join(home.folder, 'elsewhere');
    const variables: readonly (readonly [string, string, string, readonly string[]])[] = [
      ['claude-code', 'CLAUDE_CONFIG_DIR', 'c', ['c/settings.json', 'c/.claude.json']],
      ['codex', 'CODEX_HOME', 'x', ['x/hooks.json', 'x/config.toml']],
      ['gemini-cli', 'GEMINI_CLI_HOME', 'g', ['g/.gemini/settings.json']],
      ['qwen-code', 'QWEN_HOME', 'q', ['q/settings.json']],
      ['copilot-cli', 'COPILOT_HOME', 'p', ['p/hooks/memd.json', 'p/mcp-config.json']],
      ['opencode', 'XDG_CONFIG_HOME', 'o', ['o/opencode/plugins/memd.js', 'o/opencode/opencode.json']],
      ['kilo', 'XDG_CONFIG_HOME', 'k', ['k/kilo/plugins/memd.js', 'k/kilo/kilo.json']],
      ['pi', 'PI_CODING_AGENT_DIR', 'i', ['i/extensions/memd.js']],
      ['cline', 'CLINE_DIR', 'l', ['l/plugins/memd.js']],
    ];
    for (const [client, name, folder, expected] of variables) {
      const env = home.env({ [name]: path.join(elsewhere, folder) });
      const ran = await run(
        process.execPath,
        [path.join(programs, 'memd.cjs'), 'install', client, '--json'],
        { cwd: home.project, env },
      );
      expect(JSON.parse(ran.stdout).files).toEqual(
        expected.map((file) => ({ file: path.join(elsewhere, file), action: 'created' })),
      );
    }
    expect(tree(home)).toEqual(former);
  });

  test('changes no file when one of them cannot be understood', async () => {
    const home = open({ '.codex/config.toml': 'model = "m\n', '.codex/hooks.json': '{}' });
    const former = tree(home);
    const { code, stderr } = await memd(home, 'install', 'codex');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /config\.toml line 1: this is not valid TOML\. Nothing was changed\. Correct the file/,
    );
    expect(tree(home)).toEqual(former);
  });

  test("an older memd's entries are brought up to date, and doctor finds and repairs missing programs", async () => {
    const home = open({ '.claude/settings.json': '{"model": "x"}', '.claude.json': '{"n": 1}' });
    const former = tree(home);
    await memd(home, 'install', 'claude', '--guard', 'warn', '--recall');
    const file = path.join(home.home, '.claude/settings.json');
    const gone = path.join(home.folder, 'memd-0.0.9/dist');
    for (const name of ['.claude/settings.json', '.claude.json']) {
      const config = path.join(home.home, name);
      const escaped = (one: string): string => JSON.stringify(one).slice(1, -1);
      fs.writeFileSync(config, fs.readFileSync(config, 'utf8').replaceAll(escaped(programs), escaped(gone)));
    }
    const before = JSON.parse((await memd(home, 'doctor', '--json')).stdout);
    const [finding] = before.findings.filter((one: Loose) => one.code === 'assistants');
    expect(finding).toMatchObject({
      severity: 'error',
      isMendable: true,
      repair: 'run `memd install claude-code --guard warn --recall`',
    });
    expect(finding.detail).toContain(gone);
    const fixed = JSON.parse((await memd(home, 'doctor', '--fix', '--json')).stdout);
    expect(fixed.findings.filter((one: Loose) => one.code === 'assistants')).toMatchObject([
      { severity: 'note', sentence: expect.stringContaining('nothing of it is captured here yet') },
    ]);
    expect(fs.readFileSync(file, 'utf8')).not.toContain('memd-0.0.9');
    expect(fs.readFileSync(file, 'utf8').match(/capture-observation/g)).toHaveLength(7);
    await home.start();
    await home.ask({ op: 'capture', payload: claudeHooks.bash, client: 'claude-code' });
    await expect.poll(() => home.rows('SELECT 1 FROM events')).toHaveLength(1);
    const firing = JSON.parse((await memd(home, 'doctor', '--json')).stdout);
    expect(firing.findings.filter((one: Loose) => one.code === 'assistants')).toMatchObject([
      { severity: 'note', detail: expect.stringMatching(/^Claude Code: last at \d{4}-/) },
    ]);
    await memd(home, 'uninstall', 'claude');
    expect(Object.entries(tree(home)).filter(([name]) => !name.includes('memd-backup'))).toEqual(
      Object.entries(former),
    );
  });

  test('notes the plugin that has the same hooks', async () => {
    const home = open({ '.claude/settings.json': '{"enabledPlugins": {"memd@memd": true}}' });
    expect((await memd(home, 'install', 'claude-code')).stderr).toContain(
      "memd's plugin is also enabled in Claude Code",
    );
  });
});
