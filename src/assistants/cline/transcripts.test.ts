import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findSessions, type TranscriptItem } from '#capture/clients';
import type { Json, JsonObject, Observation } from '#core/event';

let home: string;
beforeEach(() => {
  home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-cline-')));
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const text = (said: string): JsonObject => ({ type: 'text', text: said });
const user = (id: string, ts: number, ...content: JsonObject[]): JsonObject => ({
  id,
  role: 'user',
  content,
  ts,
});
const model = (id: string, ts: number, ...content: JsonObject[]): JsonObject => ({
  ...{ id, role: 'assistant', content, ts },
  metrics: { inputTokens: 100 },
});
const asked = (said: string): JsonObject => text(`<user_input mode="act">${said}</user_input>`);
const use = (id: string, name: string, input: JsonObject): JsonObject => ({
  type: 'tool_use',
  id,
  name,
  input,
});
const result = (id: string, content: Json, more: JsonObject = {}): JsonObject => ({
  ...{ type: 'tool_result', tool_use_id: id, content },
  ...more,
});

function write(
  session: string,
  messages: readonly JsonObject[],
  manifest: JsonObject = {},
  agent = '',
): void {
  const folder = path.join(home, '.cline/data/sessions', session);
  fs.mkdirSync(folder, { recursive: true });
  const about = { session_id: session, cwd: '/mill', ...manifest };
  fs.writeFileSync(path.join(folder, `${session}.json`), JSON.stringify(about));
  const own = { source: 'cli', mode: 'user', sessionId: session };
  const origin = agent === '' ? own : { ...own, mode: 'subagent', parentThreadId: session, subagent: agent };
  const sessionId = agent === '' ? session : `${session}__${agent}`;
  const document = { version: 1, agent: agent === '' ? 'lead' : 'subagent', sessionId, origin, messages };
  const file = path.join(folder, `${agent || session}.messages.json`);
  fs.writeFileSync(file, JSON.stringify({ ...document, system_prompt: 'You are Cline.' }, null, 2));
}

async function readAll(env: Record<string, string> = {}) {
  const belongs = (cwd: string): boolean => cwd === '/mill';
  const found = await findSessions({ root: '/mill', home, env, belongs }, 'cline');
  const observations: Observation[] = [];
  const take = (item: TranscriptItem): void => {
    if (item.kind === 'observation') observations.push(item.observation);
  };
  for (const one of found.transcripts) await one.read(take);
  return { names: found.transcripts.map(({ name }) => path.basename(name)), observations };
}

it('reads prompts without their element, replies between calls, and calls with their parts', async () => {
  write('s1', [
    user('p1', 11, asked('Grind the rye.')),
    {
      ...user('x1', 12, text('<hook_context source="RunStart">\nno prompt\n</hook_context>')),
      metadata: { displayRole: 'system' },
    },
    model(
      'm1',
      13,
      { type: 'thinking', thinking: 'hm' },
      text('I look.'),
      use('c1', 'run_commands', { commands: ['make rye', 'make; exit 2'] }),
      use('c2', 'read_files', { files: [{ path: '/mill/a' }] }),
    ),
    user(
      'r1',
      14,
      result('c1', [
        { query: 'make rye', result: 'ground\n', success: true },
        {
          query: 'make; exit 2',
          result: '[Command exited with code 2]\n\n[stderr]\nno rule\n',
          error: 'Command exited with code 2',
          success: false,
        },
      ]),
    ),
    user('r2', 15, result('c2', [{ query: '/mill/a', result: '1 | rye', success: true }])),
    model(
      'm2',
      16,
      use('c3', 'editor', { path: '/mill/b', new_text: 'x' }),
      use('c4', 'run_commands', { commands: ['sleep 9'] }),
    ),
    user('r3', 17, result('c3', '{"error":"it may not be written"}', { is_error: true })),
    user('p2', 18, asked('And the wheat?'), text('<mode_notice>The mode is act.</mode_notice>')),
    model('m3', 19, text('It is ground.')),
  ]);
  const { names, observations } = await readAll();
  expect(names).toEqual(['s1.messages.json']);
  const said = observations.filter(({ message }) => message !== undefined);
  expect(said.map(({ output, toolUseId, message }) => [output, toolUseId, message?.turnId])).toEqual([
    ['Grind the rye.', 'p1', 'p1'],
    ['I look.', 'm1', 'p1'],
    ['And the wheat?', 'p2', 'p2'],
    ['It is ground.', 'm3', 'p2'],
  ]);
  const calls = observations.filter(({ message }) => message === undefined);
  expect(calls).toMatchObject([
    {
      ...{ tool: 'run_commands', toolUseId: 'c1', isError: true, sessionId: 's1', cwd: '/mill' },
      input: { command: 'make rye\nmake; exit 2' },
      output: [
        { result: 'ground\n', success: true },
        { result: '[stderr]\nno rule\n', success: false, exitCode: 2 },
      ],
    },
    { tool: 'read_files', toolUseId: 'c2', isError: false, output: { result: '1 | rye', success: true } },
    { tool: 'editor', toolUseId: 'c3', isError: true, output: { error: 'it may not be written' } },
    { toolUseId: 'c4', unfinished: true, input: { command: 'sleep 9' } },
  ]);
});

it('reads what an agent did and said as part of the session, and its task not as the user’s', async () => {
  write('s1', [user('p1', 11, asked('Grind the rye.'))]);
  const messages = [
    user('p2', 12, text('Count the sacks.')),
    model('m1', 13, text('I count.'), use('c1', 'run_commands', { commands: ['ls'] })),
    user('r1', 14, result('c1', [{ query: 'ls', result: 'sack', success: true }])),
  ];
  write('s1', messages, {}, 'agent_1');
  const { observations } = await readAll();
  const read = observations.map(({ tool, sessionId, message }) => [tool, sessionId, message?.agentId]);
  expect(read.sort(([a = ''], [b = '']) => String(b).localeCompare(String(a)))).toEqual([
    ['run_commands', 's1', undefined],
    ['Reply', 's1', 'agent_1'],
    ['Prompt', 's1', null],
  ]);
});

it('reads the session that one goes on from before it, and only those of the project', async () => {
  write('s2', [user('p1', 11, asked('Grind the rye.'))]);
  write('s1', [user('p1', 11, asked('Grind the rye.'))], { metadata: { restoredFromSessionId: 's2' } });
  write('s3', [user('p3', 11, asked('Elsewhere.'))], { cwd: '/other' });
  fs.mkdirSync(path.join(home, '.cline/data/sessions/s4'));
  expect((await readAll()).names).toEqual(['s2.messages.json', 's1.messages.json']);
});

it('looks where its variables say', async () => {
  write('s1', [user('p1', 11, asked('Grind the rye.'))]);
  const folder = path.join(home, '.cline');
  const names = ['s1.messages.json'];
  for (const env of [
    { CLINE_DIR: folder },
    { CLINE_DIR: '/nowhere', CLINE_DATA_DIR: path.join(folder, 'data') },
    { CLINE_DATA_DIR: '/nowhere', CLINE_SESSION_DATA_DIR: path.join(folder, 'data/sessions') },
  ])
    expect((await readAll(env)).names).toEqual(names);
  expect((await readAll({ CLINE_DIR: '/nowhere' })).names).toEqual([]);
});
