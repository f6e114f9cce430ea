import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { prepare } from '#capture/intake';
import type { Json, JsonObject, ToolEvent } from '#core/event';
import { openStore, type Store } from '#memory/store';
import { adapt, readTranscript } from './index.ts';
import { readRecords } from './transcript.ts';

let folder: string;
let store: Store;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-messages-'));
  store = openStore(path.join(folder, 'db.sqlite'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
  store.close();
});

const ts = '2026-05-04T03:02:01.000Z';
const laterTs = '2026-05-04T03:02:01.250Z';
const [ask, reply] = ['Grind the rye.', 'The rye is ground: 3 sacks.'];
const hook = (event: string, more: Record<string, Json>) => ({
  hook_event_name: event,
  session_id: 's1',
  ...more,
});
const claudeTurn = { sessionId: 's1', timestamp: laterTs };
const codexItem = (role: string, type: string, text: string) => ({
  timestamp: laterTs,
  type: 'response_item',
  payload: { type: 'message', role, content: [{ type, text }] },
});
const qwen = (type: string, text: string) => ({
  type,
  sessionId: 's1',
  timestamp: laterTs,
  message: {
    role: type === 'user' ? 'user' : 'model',
    parts: [{ text: 'hm', thought: true }, { text }].slice(type === 'user' ? 1 : 0),
  },
});
const part = (role: string, message: string, partId: string, text: string, more = {}) => ({
  opencode: 'part',
  session: 's1',
  role,
  isHelper: false,
  ms: 1_777_863_721_250,
  message,
  partId,
  part: { type: 'text', text },
  ...more,
});

const piEntry = (id: string, parentId: string | null, message: JsonObject) => ({
  ...{ type: 'message', id, parentId, timestamp: laterTs, message },
});

/** Each client's hooks for a prompt and its reply, and its transcript of the same two. */
const clients: readonly [client: string, hooks: readonly Json[], records: readonly Json[]][] = [
  [
    'claude-code',
    [
      hook('UserPromptSubmit', { prompt_id: 'p1', prompt: ask }),
      hook('Stop', { prompt_id: 'p1', last_assistant_message: reply }),
    ],
    [
      { type: 'queue-operation', operation: 'enqueue', ...claudeTurn, content: ask },
      { ...claudeTurn, type: 'user', promptId: 'p1', message: { content: ask } },
      { ...claudeTurn, type: 'assistant', message: { content: [{ type: 'thinking', thinking: 'hm' }] } },
      { ...claudeTurn, type: 'assistant', message: { content: [{ type: 'text', text: reply }] } },
    ],
  ],
  [
    'codex',
    [
      hook('UserPromptSubmit', { turn_id: 't1', prompt: ask }),
      hook('Stop', { turn_id: 't1', last_assistant_message: reply }),
    ],
    [
      { type: 'session_meta', payload: { id: 's1', cwd: '/home/ada/mill' } },
      { type: 'event_msg', payload: { type: 'task_started', turn_id: 't1' } },
      codexItem('user', 'input_text', ask),
      codexItem('assistant', 'output_text', reply),
    ],
  ],
  [
    'qwen-code',
    [
      hook('UserPromptSubmit', { prompt_id: 's1########4', prompt: ask }),
      hook('Stop', { prompt_id: 's1########4', last_assistant_message: reply }),
    ],
    [
      qwen('user', ask),
      { type: 'system', sessionId: 's1', systemPayload: { uiEvent: { prompt_id: 's1########4' } } },
      qwen('assistant', reply),
    ],
  ],
  [
    'gemini-cli',
    [
      hook('BeforeAgent', { timestamp: ts, prompt: ask }),
      hook('AfterAgent', { timestamp: ts, prompt: ask, prompt_response: reply }),
    ],
    [
      { sessionId: 's1', projectHash: '00' },
      { id: 'm1', timestamp: laterTs, type: 'user', content: [{ text: ask }] },
      { id: 'm2', timestamp: laterTs, type: 'gemini', content: '' },
      { id: 'm2', timestamp: laterTs, type: 'gemini', content: reply },
      { id: 'm2', timestamp: laterTs, type: 'gemini', content: reply, toolCalls: [] },
    ],
  ],
  [
    'copilot-cli',
    [{ sessionId: 's1', timestamp: Date.parse(ts), cwd: '/home/ada/mill', prompt: ask }],
    [
      { type: 'session.start', data: { sessionId: 's1' } },
      {
        type: 'user.message',
        timestamp: laterTs,
        data: { content: ask, messageId: 'm1', interactionId: 'i1' },
      },
      {
        type: 'assistant.message',
        timestamp: laterTs,
        data: { content: reply, messageId: 'm2', interactionId: 'i1' },
      },
    ],
  ],
  [
    'opencode',
    [
      {
        input: { sessionID: 's1' },
        output: {
          message: { id: 'm1', role: 'user' },
          parts: [
            { type: 'text', text: ask },
            { type: 'text', text: 'a file', synthetic: true },
          ],
        },
      },
    ],
    [part('user', 'm1', 'p1', ask), part('assistant', 'm2', 'p2', reply, { parent: 'm1' })],
  ],
  [
    'pi',
    [
      hook('UserPromptSubmit', { prompt: ask, message_id: '17', prompt_id: '17', timestamp: 17 }),
      hook('Stop', { last_assistant_message: reply, message_id: '19', prompt_id: '17', timestamp: 19 }),
    ],
    [
      { type: 'session', version: 3, id: 's1', timestamp: laterTs, cwd: '/home/ada/mill' },
      piEntry('a1', null, { role: 'user', content: [{ type: 'text', text: ask }], timestamp: 17 }),
      piEntry('b2', 'a1', {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: reply },
        ],
        timestamp: 19,
      }),
    ],
  ],
  [
    'cline',
    [
      hook('UserPromptSubmit', {
        ...{ prompt: `<user_input mode="plan">${ask}</user_input>`, timestamp: 17 },
        ...{ message_id: 'u-17', prompt_id: 'u-17' },
      }),
      hook('Stop', { last_assistant_message: reply, message_id: 'm-19', prompt_id: 'u-17', timestamp: 19 }),
    ],
    [
      {
        ...{ version: 1, agent: 'lead', sessionId: 's1', origin: { sessionId: 's1' } },
        messages: [
          { id: 'u-17', role: 'user', content: `<user_input mode="plan">${ask}</user_input>`, ts: 17 },
          { id: 'm-19', role: 'assistant', content: [{ type: 'text', text: reply }], ts: 19 },
        ],
      },
    ],
  ],
];

function live(client: string, payload: Json): ToolEvent {
  const adapted = adapt(payload, { receivedAt: ts, cwd: '/home/ada/mill', client });
  if (adapted.kind === 'ignored') throw new Error(adapted.reason);
  return prepare(adapted.observation).event;
}

async function recorded(client: string, records: readonly Json[]): Promise<readonly ToolEvent[]> {
  const events: ToolEvent[] = [];
  const take: Parameters<typeof readTranscript>[1] = (item) => {
    if (item.kind === 'observation') events.push(prepare(item.observation).event);
  };
  const file = path.join(folder, 'session.jsonl');
  fs.writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  if (client === 'opencode') await readRecords('db', records, take, { ms: 1 });
  else await readTranscript(file, take);
  return events;
}

it.each(clients)(
  '%s: a message from hook and transcript is stored once, in either order',
  async (client, hooks, records) => {
    const hooked = hooks.map((payload) => live(client, payload));
    const read = await recorded(client, records);
    expect(read.map(({ message, output }) => [message?.role, output])).toEqual([
      ['user', ask],
      ['assistant', reply],
    ]);
    expect(new Set(read.map(({ message }) => message?.turnId)).size).toBe(1);
    for (const [first, second] of [
      [hooked, read],
      [read, hooked],
    ] as const) {
      const database = openStore(path.join(folder, `${first === read}.sqlite`));
      const inserted = database.events.insert(first).inserted + database.events.insert(second).inserted;
      database.close();
      expect(inserted).toBe(2);
    }
  },
);

it('claude-code: a subagent’s report has its id, and its task is not the user’s', async () => {
  const agent = { ...claudeTurn, agentId: 'a1', isSidechain: true };
  const text = (said: string) => [{ type: 'text', text: said }];
  const read = await recorded('claude-code', [
    { ...agent, type: 'user', promptId: 'p1', message: { content: 'Count the sacks.' } },
    { ...agent, type: 'assistant', message: { content: text('I look.') } },
    { ...agent, type: 'assistant', message: { content: [{ type: 'tool_use', id: 't1', name: 'Bash' }] } },
    {
      ...agent,
      type: 'user',
      promptId: 'p1',
      message: { content: [{ type: 'tool_result', tool_use_id: 't1' }] },
    },
    { ...agent, type: 'assistant', message: { content: text('Three sacks.') } },
  ]);
  const stop = hook('SubagentStop', {
    prompt_id: 'p1',
    agent_id: 'a1',
    last_assistant_message: 'Three sacks.',
  });
  const messages = read.filter(({ message }) => message !== undefined);
  expect(messages.map(({ id }) => id)).toEqual([live('claude-code', stop).id]);
  expect(messages[0]?.message).toMatchObject({ role: 'assistant', agentId: 'a1' });
});

it('codex: a helper’s report is the same from its hook and from its transcript', async () => {
  const read = await recorded('codex', [
    { type: 'session_meta', payload: { id: 'a1', session_id: 's1', source: { subagent: {} } } },
    { type: 'event_msg', payload: { type: 'task_started', turn_id: 't2' } },
    codexItem('user', 'input_text', 'Count the sacks.'),
    codexItem('assistant', 'output_text', 'Three sacks.'),
  ]);
  const stop = hook('SubagentStop', {
    turn_id: 't2',
    agent_id: 'a1',
    last_assistant_message: 'Three sacks.',
  });
  expect(read.map(({ id }) => id)).toEqual([live('codex', stop).id]);
});

it('claude-code: a compaction is a reply, words of the client are not', async () => {
  const summary = '1. Intent: grind the rye.\n2. Left: the wheat.';
  const continued = `This session is being continued from a previous conversation that ran out of context.\n\nSummary:\n${summary}\nPlease continue the conversation from where we left off.`;
  const synthetic = { model: '<synthetic>', content: [{ type: 'text', text: 'API Error: 400' }] };
  const read = await recorded('claude-code', [
    { ...claudeTurn, type: 'assistant', message: synthetic },
    { ...claudeTurn, type: 'user', promptId: 'p2', isCompactSummary: true, message: { content: continued } },
  ]);
  const compact = hook('PostCompact', {
    prompt_id: 'p2',
    compact_summary: `<analysis>x</analysis><summary>${summary}</summary>`,
  });
  expect(read.map(({ id }) => id)).toEqual([live('claude-code', compact).id]);
});

it('cursor: prompt and answer share the turn', () => {
  const base = { conversation_id: 's1', generation_id: 'g1', workspace_roots: ['/home/ada/mill'] };
  const prompt = live('cursor', {
    ...base,
    hook_event_name: 'beforeSubmitPrompt',
    prompt: ask,
    attachments: [],
  });
  const answer = live('cursor', { ...base, hook_event_name: 'afterAgentResponse', text: reply });
  expect([prompt.message, prompt.output]).toEqual([{ role: 'user', turnId: 'g1', agentId: null }, ask]);
  expect([answer.message, answer.output]).toEqual([
    { role: 'assistant', turnId: 'g1', agentId: null },
    reply,
  ]);
});
