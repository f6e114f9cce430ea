import { createHash } from 'node:crypto';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Json, JsonObject, Observation } from '#core/event';
import { dashed, LeftHome } from '../../../test/support/clients/left.ts';

let left: LeftHome;
let root: string;
beforeEach(() => {
  left = new LeftHome();
  root = left.root;
});
afterEach(() => left.remove());

describe('gemini-cli', () => {
  const tmp = '.gemini/tmp';
  const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
  const chat = [{ sessionId: 's', projectHash: 'h' }];

  it('by the mark in the folder, by the registry, or by the hash', async () => {
    left.write(
      '.gemini/projects.json',
      JSON.stringify({ projects: { [`${root}/b`]: 'named', [`${root}-evil`]: 'evil' } }),
    );
    left.write(`${tmp}/marked/.project_root`, `${root}\n`);
    left.write(`${tmp}/marked/chats/session-1.jsonl`, chat);
    left.write(`${tmp}/marked/logs.json`, '[]');
    left.write(`${tmp}/named/chats/session-2.json`, '{}');
    left.write(`${tmp}/${sha(root)}/chats/session-3.json`, '{}');
    left.write(`${tmp}/${sha(`${root}/b`)}/chats/deep/session-4.jsonl`, chat);
    left.write(`${tmp}/evil/chats/session-5.json`, '{}');
    left.write(`${tmp}/${sha(`${root}-evil`)}/chats/session-6.json`, '{}');
    left.write(`${tmp}/src/chats/session-7.json`, '{}');
    // The mark is what the client itself believes.
    left.write(`${tmp}/taken/.project_root`, `${root}-evil`);
    expect(await left.found()).toEqual({
      'gemini-cli': [
        `${tmp}/marked/chats/session-1.jsonl`,
        `${tmp}/named/chats/session-2.json`,
        `${tmp}/${sha(root)}/chats/session-3.json`,
        `${tmp}/${sha(`${root}/b`)}/chats/deep/session-4.jsonl`,
      ].sort(),
    });
  });

  it('knows where a session was begun though its records do not', async () => {
    left.write(`${tmp}/marked/.project_root`, root);
    const toolCalls = [
      { id: 'c1', name: 'read_file', args: {}, status: 'success', result: [], timestamp: 'x' },
    ];
    left.write(`${tmp}/marked/chats/session-1.jsonl`, [...chat, { id: 'm', type: 'gemini', toolCalls }]);
    expect(await left.read()).toMatchObject([{ client: 'gemini-cli', toolUseId: 'c1', cwd: root }]);
  });

  it('below GEMINI_CLI_HOME', async () => {
    left.write(`else/${tmp}/${sha(root)}/chats/a.json`, '{}');
    expect(await left.found({ GEMINI_CLI_HOME: path.join(left.home, 'else') })).toMatchObject({
      'gemini-cli': [expect.anything()],
    });
  });
});

describe('qwen-code', () => {
  it('by the folder in a chat, and by the hash of older versions, under its own name', async () => {
    const record = (cwd: string): JsonObject => ({
      sessionId: 's',
      cwd,
      type: 'user',
      message: { parts: [] },
    });
    const own = `.qwen/projects/${dashed(root)}/chats/a.jsonl`;
    left.write(own, [record(root)]);
    left.write(`.qwen/projects/${dashed(`${root}-evil`)}/chats/b.jsonl`, [record(`${root}-evil`)]);
    const hash = createHash('sha256').update(root).digest('hex');
    const older = left.write(
      `.qwen/tmp/${hash}/chats/session-1.json`,
      JSON.stringify({
        sessionId: 's',
        messages: [{ id: 'm', type: 'qwen', toolCalls: [{ id: 'c1', name: 'edit', args: {}, result: [] }] }],
      }),
    );
    expect(await left.found()).toEqual({ 'qwen-code': [own, path.relative(left.home, older)] });
    expect(await left.read()).toMatchObject([{ client: 'qwen-code', toolUseId: 'c1', sessionId: 's' }]);
    expect(await left.found({ QWEN_RUNTIME_DIR: path.join(left.home, 'none') })).toEqual({});
  });
});

describe('copilot-cli', () => {
  const start = (cwd: string): JsonObject => ({
    type: 'session.start',
    data: { sessionId: 's', context: { cwd } },
  });

  it('by the first event, or else by workspace.yaml', async () => {
    const state = '.copilot/session-state';
    left.write(`${state}/a/events.jsonl`, [start(root)]);
    left.write(`${state}/a/files/events.jsonl`, [start(root)]);
    left.write(`${state}/b/events.jsonl`, [start(`${root}-evil`)]);
    left.write(`${state}/c/events.jsonl`, [{ type: 'user.message', data: {} }]);
    left.write(`${state}/c/workspace.yaml`, `id: c\ncwd: "${root}/below"\n`);
    left.write(`${state}/d/events.jsonl`, [{ type: 'user.message', data: {} }]);
    left.write(`${state}/e.jsonl`, [start(root)]);
    expect(await left.found()).toEqual({
      'copilot-cli': [`${state}/a/events.jsonl`, `${state}/c/events.jsonl`, `${state}/e.jsonl`],
    });
  });
});

describe('cursor', () => {
  const said = (content: Json): JsonObject => ({ role: 'assistant', message: { content } });
  const shell = (folder: string): JsonObject => ({
    type: 'tool_use',
    name: 'Shell',
    input: { command: 'ls', working_directory: folder },
  });

  it('by what trusted the folder, or by where a command ran; never by the name', async () => {
    const projects = '.cursor/projects';
    left.write(`${projects}/trusted/.workspace-trusted`, JSON.stringify({ workspacePath: root }));
    left.write(`${projects}/trusted/agent-transcripts/u1/u1.jsonl`, [said([{ type: 'text', text: 'hi' }])]);
    left.write(`${projects}/trusted/agent-transcripts/old.txt`, 'user: hi');
    left.write(`${projects}/other/.workspace-trusted`, JSON.stringify({ workspacePath: `${root}-evil` }));
    left.write(`${projects}/other/agent-transcripts/u2/u2.jsonl`, [said([shell(root)])]);
    left.write(`${projects}/ran/agent-transcripts/u3/u3.jsonl`, [said([shell(`${root}/a`)])]);
    left.write(`${projects}/ran/agent-transcripts/u4/u4.jsonl`, [said([shell(`${root}-evil`)])]);
    left.write(`${projects}/${dashed(root).slice(1)}/agent-transcripts/u5/u5.jsonl`, [said('hi')]);
    expect(await left.found()).toEqual({
      cursor: [
        `${projects}/ran/agent-transcripts/u3/u3.jsonl`,
        `${projects}/trusted/agent-transcripts/u1/u1.jsonl`,
      ],
    });
  });

  it('reads calls with a result, and counts those without', async () => {
    const folder = '.cursor/projects/p';
    left.write(`${folder}/.workspace-trusted`, JSON.stringify({ workspacePath: root }));
    left.write(`${folder}/agent-transcripts/u1/u1.jsonl`, [
      said([{ ...shell(root), id: 't1' }, shell(root)]),
      { role: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'a.ts' }] } },
      said([{ ...shell(root), id: 't2' }]),
    ]);
    const { transcripts } = await left.find();
    const seen: Observation[] = [];
    const report = await transcripts[0]?.read((item) => {
      if (item.kind === 'observation') seen.push(item.observation);
    });
    expect(seen).toMatchObject([
      { client: 'cursor', sessionId: 'u1', toolUseId: 't1', output: 'a.ts', cwd: root },
      { toolUseId: 't2', output: '', unfinished: true },
    ]);
    expect(report).toMatchObject({ unanswered: 2, failure: null });
  });
});
