import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { pluginText } from './plugin.ts';

interface Tool {
  readonly name: string;
  readonly execute: (input: object) => Promise<string>;
}
interface Plugin {
  readonly setup: (api: object, context: object) => void;
  readonly hooks: Readonly<Record<string, (event: object) => Promise<unknown>>>;
}

const folders: string[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  process.removeAllListeners('SIGTERM');
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

const programs: Readonly<Record<string, string>> = { PostToolUseFailure: 'recall' };
/** Answers each question but the first. */
const server = `
  const lines = require('node:readline').createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const content = [{ type: 'text', text: 'found ' + params?.arguments?.query }];
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? {} : { content } }));
  });`;

/**
 * The plugin with a Node script as the hook of each of these events, as Cline has loaded it. Node may start too slowly here for the time that
 * the plugin waits, so it has more.
 */
async function loaded(hooks: Readonly<Record<string, string>>, waitMs = '60_000') {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-cline-plugin-')));
  folders.push(folder);
  const planned = Object.entries(hooks).map(([event, script]) => ({
    ...{ program: programs[event] ?? 'other', event, timeoutMs: 20_000 },
    words: [process.execPath, '-e', script],
  }));
  const list = ['mem_search', 'mem_remember'].map((name) => ({
    ...{ name, description: 'd', inputSchema: { type: 'object' } },
  }));
  fs.writeFileSync(path.join(folder, 'tools.json'), JSON.stringify({ list, instructions: 'Search first.' }));
  fs.writeFileSync(path.join(folder, 'memd.cjs'), server);
  const file = path.join(folder, 'memd.mjs');
  const source = pluginText(planned, [process.execPath, path.join(folder, 'memd.cjs'), 'mcp']);
  expect(source).toContain('2_000');
  fs.writeFileSync(file, source.replace('2_000', waitMs));
  const { default: plugin }: { default: Plugin } = await import(pathToFileURL(file).href);
  const tools: Tool[] = [];
  const rules: { readonly content: () => Promise<string> }[] = [];
  plugin.setup(
    {
      registerTool: (tool: Tool) => tools.push(tool),
      registerRule: (rule: (typeof rules)[number]) => rules.push(rule),
    },
    { session: { sessionId: 's1' }, workspaceInfo: { rootPath: folder } },
  );
  const fire = (event: string, payload: object): Promise<unknown> =>
    plugin.hooks[event]?.(payload) ?? Promise.resolve();
  return { fire, tools, rules, folder };
}

const context = (text: string): string =>
  `console.log(JSON.stringify({ hookSpecificOutput: { additionalContext: ${text} } }))`;
const noting = `require('node:fs').appendFileSync('noted', require('node:fs').readFileSync(0, 'utf8') + '\\n')`;
const noted = (folder: string): object[] => {
  const lines = fs.readFileSync(path.join(folder, 'noted'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
};

const prompt = {
  ...{ id: 'p1', role: 'user', createdAt: 17 },
  content: [{ type: 'text', text: '<user_input mode="act">Grind the rye.</user_input>' }],
};
const added = { ...prompt, id: 'x1', metadata: { displayRole: 'system' } };
const snapshot = { agentId: 'a1', messages: [prompt] };
const task = { ...prompt, id: 'p2', content: [{ type: 'text', text: 'Count the sacks.' }] };
const agents = { agentId: 'a2', messages: [task] };
const call = {
  snapshot,
  toolCall: { toolName: 'run_commands', toolCallId: 'c1' },
  input: { commands: ['make'] },
};
const failed = { ...call, result: { output: [{ query: 'make', result: 'no rule', success: false }] } };
const done = { ...call, result: { output: [{ query: 'make', result: 'made', success: true }] } };

test('each request gets the text of the session’s start, which is asked for once', async () => {
  const { rules } = await loaded({ SessionStart: context("'started by ' + process.pid") });
  const texts = [await rules[0]?.content(), await rules[0]?.content()];
  expect(texts[0]).toMatch(/^Search first\.\n\nstarted by \d+$/);
  expect(texts[1]).toBe(texts[0]);
});

test('what the user asks is reported, and not what an agent is asked', async () => {
  const { fire, folder } = await loaded({ Stop: noting });
  const resumed = { ...snapshot, messages: [{ ...prompt, id: 'p0' }, prompt, added] };
  await fire('beforeRun', { snapshot: resumed });
  await fire('beforeRun', { snapshot: agents });
  // The same session with another model.
  await fire('beforeRun', { snapshot: { ...resumed, agentId: 'a3' } });
  const said = {
    ...{ hook_event_name: 'UserPromptSubmit', client: 'cline', session_id: 's1', cwd: folder, timestamp: 17 },
    ...{ prompt: prompt.content[0]?.text, message_id: 'p1', prompt_id: 'p1' },
  };
  expect(noted(folder)).toEqual([said, said]);
});

test('what the model says is reported in the turn of its prompt, an agent by its id', async () => {
  const { fire, folder } = await loaded({ Stop: noting });
  const content = [{ type: 'text', text: 'I look.' }, { type: 'tool-call' }];
  await fire('beforeRun', { snapshot });
  const assistantMessage = { id: 'm1', createdAt: 19, content };
  await fire('afterModel', {
    snapshot,
    assistantMessage: { ...assistantMessage, content: content.slice(1) },
  });
  await fire('afterModel', { snapshot, assistantMessage });
  await fire('afterModel', { snapshot: agents, assistantMessage });
  expect(noted(folder)).toMatchObject([
    { hook_event_name: 'UserPromptSubmit' },
    { hook_event_name: 'Stop', last_assistant_message: 'I look.', message_id: 'm1', prompt_id: 'p1' },
    { last_assistant_message: 'I look.', prompt_id: 'p2', agent_id: 'a2' },
  ]);
});

test('the error that ended a turn of the user’s is reported', async () => {
  const { fire, folder } = await loaded({ Stop: noting });
  await fire('beforeRun', { snapshot });
  await fire('afterRun', { snapshot: { ...snapshot, status: 'completed' } });
  const failed = { status: 'failed', lastError: '529 the mill is busy' };
  await fire('afterRun', { snapshot: { ...snapshot, ...failed } });
  await fire('afterRun', { snapshot: { ...agents, ...failed } });
  expect(noted(folder)).toMatchObject([
    { hook_event_name: 'UserPromptSubmit' },
    { hook_event_name: 'StopFailure', last_assistant_message: '529 the mill is busy', prompt_id: 'p1' },
  ]);
});

test('a call is skipped by a denial alone, and the turn goes on', async () => {
  const deny = `console.log(JSON.stringify({ cancel: true, errorMessage: 'no bread' }))`;
  const denying = await loaded({ PreToolUse: deny });
  expect(await denying.fire('beforeTool', call)).toEqual({ skip: true, reason: 'no bread' });
  for (const script of ['', 'process.exit(3)', 'console.log("{")', 'console.log("{}")']) {
    const { fire, rules } = await loaded({ PreToolUse: script, SessionStart: script });
    expect(await fire('beforeTool', call)).toBeUndefined();
    expect(await rules[0]?.content()).toBe('Search first.');
  }
});

test('a hook that takes too long is left behind before Cline would fail the turn', async () => {
  const waiting = "setInterval(() => require('node:fs').existsSync('go') && process.exit(), 20)";
  const { fire, folder } = await loaded({ PreToolUse: waiting }, '100');
  expect(await fire('beforeTool', call)).toBeUndefined();
  fs.writeFileSync(path.join(folder, 'go'), '');
});

test('what recall says follows the result of a failed command', async () => {
  const { fire, folder } = await loaded({
    PostToolUse: noting,
    PostToolUseFailure: context("'once: make clean'"),
  });
  expect(await fire('afterTool', failed)).toEqual({ appendContext: 'once: make clean' });
  expect(await fire('afterTool', done)).toBeUndefined();
  const editor = { ...failed, toolCall: { toolName: 'editor', toolCallId: 'c2' } };
  expect(await fire('afterTool', editor)).toBeUndefined();
  expect(noted(folder)).toMatchObject([
    { hook_event_name: 'PostToolUseFailure', tool_use_id: 'c1', tool_response: failed.result.output },
    { hook_event_name: 'PostToolUse', tool_use_id: 'c1' },
    { hook_event_name: 'PostToolUseFailure', tool_name: 'editor', tool_use_id: 'c2' },
  ]);
});

test('the tools of the server are registered without it, and it answers their calls', async () => {
  const { tools, rules } = await loaded({});
  expect(rules).toMatchObject([{ id: 'memd', source: 'memd' }]);
  const shape = { description: 'd', inputSchema: { type: 'object' } };
  expect(tools).toMatchObject([
    { name: 'mem_search', ...shape },
    { name: 'mem_remember', ...shape },
  ]);
  expect(await tools[0]?.execute({ query: 'rye' })).toBe('found rye');
});

test.each([
  ['{"drain.tickMs": 5000}', true],
  ['{"mcp": {}}', true],
  ['{"mcp.remember": true}', true],
  ['{"mcp.remember": false}', false],
  ['{"mcp": {"remember": false}}', false],
  ['{', false],
])('with the settings %s the tool that adds is there: %s', async (settings, isThere) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-cline-home-'));
  folders.push(home);
  vi.stubEnv('HOME', home);
  fs.mkdirSync(path.join(home, '.memd/default'), { recursive: true });
  fs.writeFileSync(path.join(home, '.memd/default/config.json'), settings);
  const { tools } = await loaded({});
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(isThere ? ['mem_search', 'mem_remember'] : ['mem_search']);
});

test('what is sent of a call does not grow with the session', async () => {
  const bytes = async (messages: number): Promise<number> => {
    const { fire, folder } = await loaded({ PostToolUse: noting, PreToolUse: noting });
    const said = Array.from({ length: messages }, (_, at) => ({
      ...prompt,
      id: `p${at % 10}`,
      role: 'assistant',
    }));
    const long = { ...done, snapshot: { ...snapshot, messages: [prompt, ...said] } };
    await fire('beforeTool', long);
    await fire('afterTool', long);
    // Without the folder, which differs.
    return JSON.stringify(noted(folder)).replaceAll(folder, '').length;
  };
  expect(await bytes(400)).toBe(await bytes(20));
});
