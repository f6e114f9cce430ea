import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { extensionText } from './extension.ts';

interface Tool {
  readonly name: string;
  readonly promptGuidelines?: readonly string[];
  readonly execute: (id: string, input: object) => Promise<{ readonly content: readonly object[] }>;
}
type Handler = (event: object, ctx: object) => Promise<unknown>;

const folders: string[] = [];
const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

const programs: Readonly<Record<string, string>> = { PostToolUseFailure: 'recall' };
const silent = '';
/** Answers each question but the first with the process that answers; ends when it is asked to. */
const server = `
  const lines = require('node:readline').createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (params?.arguments?.end) process.exit();
    const tools = [{ name: 'mem_search', title: 'Search', description: 'd', inputSchema: { type: 'object' } }];
    const content = [{ type: 'text', text: method + ' by ' + process.pid }];
    const results = { initialize: { instructions: 'Search first.' }, 'tools/list': { tools } };
    const result = results[method] ?? { content, isError: params?.arguments?.fail === true };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });`;

/** The extension with a Node script as the hook of each of these events, as Pi has loaded it. */
async function loaded(hooks: Readonly<Record<string, string>>) {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-extension-')));
  folders.push(folder);
  const node = (script: string): string[] => [process.execPath, '-e', script];
  const planned = Object.entries(hooks).map(([event, script]) => ({
    ...{ program: programs[event] ?? 'other', event, words: node(script), timeoutMs: 20_000 },
  }));
  const file = path.join(folder, 'memd.mjs');
  fs.writeFileSync(file, extensionText(planned, node(server)));
  const { default: extension }: { default: (pi: object) => void } = await import(pathToFileURL(file).href);
  const handlers = new Map<string, Handler>();
  const tools: Tool[] = [];
  const said: string[] = [];
  extension({
    on: (event: string, handler: Handler) => handlers.set(event, handler),
    registerTool: (tool: Tool) => tools.push(tool),
  });
  const sessionManager = { getSessionId: () => 's1', getSessionFile: () => undefined };
  const ctx = { cwd: folder, sessionManager, ui: { notify: (text: string) => said.push(text) } };
  const fire = async (event: string, payload: object): Promise<unknown> =>
    handlers.get(event)?.(payload, ctx);
  await fire('session_start', { reason: 'startup' });
  endings.push(() => fire('session_shutdown', { reason: 'quit' }));
  return { fire, tools, said };
}

const answering = (output: string, more = '{}'): string =>
  `console.log(JSON.stringify({ hookSpecificOutput: ${output}, ...${more} }))`;
const call = { toolName: 'bash', toolCallId: 'c1', input: { command: 'make' } };

test('each request of a session gets the text of its start; after a compaction that of then', async () => {
  const source = "JSON.parse(require('node:fs').readFileSync(0, 'utf8')).source";
  const { fire, said } = await loaded({
    SessionStart: answering(`{ additionalContext: 'after ' + ${source} }`, "{ systemMessage: 'memd: x' }"),
  });
  const prompt = { systemPrompt: 'theirs' };
  expect(await fire('before_agent_start', prompt)).toEqual({ systemPrompt: 'theirs\n\nafter startup' });
  expect(await fire('before_agent_start', prompt)).toEqual({ systemPrompt: 'theirs\n\nafter startup' });
  await fire('session_compact', { compactionEntry: { id: 'e1', summary: 's', timestamp: 't' } });
  expect(await fire('before_agent_start', prompt)).toEqual({ systemPrompt: 'theirs\n\nafter compact' });
  expect(said).toEqual(['memd: x', 'memd: x']);
});

test('a call is blocked by a denial alone', async () => {
  const deny = "{ permissionDecision: 'deny', permissionDecisionReason: 'no bread' }";
  const denying = await loaded({ PreToolUse: answering(deny) });
  expect(await denying.fire('tool_call', call)).toEqual({ block: true, reason: 'no bread' });
  for (const script of [silent, 'process.exit(3)', 'console.log("{")', answering('{}')]) {
    const { fire } = await loaded({ PreToolUse: script, SessionStart: script });
    expect(await fire('tool_call', call)).toBeUndefined();
    expect(await fire('before_agent_start', { systemPrompt: 'theirs' })).toBeUndefined();
  }
});

test('what recall says is added to the result of a failed command', async () => {
  const { fire } = await loaded({
    PostToolUseFailure: answering("{ additionalContext: 'once: make clean' }"),
  });
  const result = { ...call, content: [{ type: 'text', text: 'no rule' }], details: {} };
  expect(await fire('tool_result', { ...result, isError: true })).toEqual({
    content: [
      { type: 'text', text: 'no rule' },
      { type: 'text', text: 'once: make clean' },
    ],
  });
  expect(await fire('tool_result', { ...result, isError: false })).toBeUndefined();
  expect(await fire('tool_result', { ...result, toolName: 'edit', isError: true })).toBeUndefined();
});

test('the tools of the server are registered, and a server that has ended is started again', async () => {
  const { tools } = await loaded({});
  expect(tools).toMatchObject([{ name: 'mem_search', promptGuidelines: ['Search first.'] }]);
  const [search] = tools;
  const first = await search?.execute('1', {});
  expect(first).toMatchObject({ content: [{ text: expect.stringMatching(/^tools\/call by \d+$/) }] });
  expect(await search?.execute('2', {})).toEqual(first);
  await expect(search?.execute('3', { fail: true })).rejects.toThrow('tools/call by');
  await expect(search?.execute('4', { end: true })).rejects.toThrow('memd mcp has ended');
  const again = await search?.execute('5', {});
  expect(again).not.toEqual(first);
  expect(again).toMatchObject({ content: [{ text: expect.stringMatching(/^tools\/call by \d+$/) }] });
});
