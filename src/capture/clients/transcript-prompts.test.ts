import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JsonObject } from '#core/event';
import { queuedPromptsMax } from '../../assistants/claude-code/messages.ts';
import { readTranscript } from './index.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-prompts-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

interface PromptItem {
  readonly role: string;
  readonly sessionId: string;
  readonly ts: string;
  readonly text: unknown;
}
const ts = '2026-05-04T03:02:01.750Z';

async function promptsIn(content: readonly JsonObject[] | string): Promise<readonly PromptItem[]> {
  const file = path.join(folder, 'session.jsonl');
  const text =
    typeof content === 'string' ? content : content.map((record) => JSON.stringify(record)).join('\n');
  fs.writeFileSync(file, text);
  const prompts: PromptItem[] = [];
  const report = await readTranscript(file, (item) => {
    if (item.kind !== 'observation' || item.observation.message?.role !== 'user') return;
    const { sessionId, ts: at, output: said, message } = item.observation;
    prompts.push({ role: message.role, sessionId, ts: at, text: said });
  });
  expect(report.failure).toBeNull();
  return prompts;
}

const texts = (prompts: readonly PromptItem[]): readonly unknown[] => prompts.map(({ text }) => text);
const claude = (content: JsonObject['content'], more: JsonObject = {}): JsonObject => ({
  type: 'user',
  sessionId: 's1',
  timestamp: ts,
  message: { role: 'user', content: content ?? null },
  ...more,
});

it('claude-code: what the user typed, and nobody else', async () => {
  const prompts = await promptsIn([
    claude('grind the rye'),
    claude([{ type: 'text', text: 'then the wheat' }]),
    claude([{ type: 'tool_result', tool_use_id: 't', content: 'ground' }]),
    claude('a skill', { isMeta: true }),
    claude('a task', { isSidechain: true, agentId: 'a1' }),
    claude('what was said', { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
    { type: 'assistant', sessionId: 's1', timestamp: ts, message: { role: 'assistant', content: 'done' } },
  ]);
  expect(prompts).toEqual([
    { role: 'user', sessionId: 's1', ts, text: 'grind the rye' },
    { role: 'user', sessionId: 's1', ts, text: 'then the wheat' },
  ]);
});

it('claude-code: what was typed on refusing a call, which has no other record', async () => {
  const refused = (words: string): JsonObject => {
    const content = `The user doesn't want to proceed with this tool use. The tool use was rejected.${words}`;
    return claude([{ type: 'tool_result', tool_use_id: 't', content, is_error: true }]);
  };
  const how = ' To tell you how to proceed, the user said:\n';
  const prompts = await promptsIn([
    claude('grind the rye'),
    refused(''),
    refused(
      `${how}not at night: the miller sleeps\n\nNote: The user's next message may contain a correction.`,
    ),
    refused(`${how}<system-reminder>nobody</system-reminder>`),
    refused(`${how}The user wants to clarify these questions.\n    Questions asked:\n- "By night?"`),
  ]);
  expect(texts(prompts)).toEqual(['grind the rye', 'not at night: the miller sleeps']);
});

it('claude-code: what was typed while it was at work, once, also where a record of its own follows', async () => {
  const queued = (content: string): JsonObject => ({
    type: 'queue-operation',
    operation: 'enqueue',
    sessionId: 's1',
    timestamp: ts,
    content,
  });
  const first = claude('begin');
  const prompts = await promptsIn([
    first,
    queued('faster'),
    queued('{"task_id":"b1"}'),
    claude('faster'),
    queued('slower'),
    claude('faster'),
  ]);
  expect(texts(prompts)).toEqual(['begin', 'faster', 'faster', 'slower']);
  const many = Array.from({ length: queuedPromptsMax + 1 }, (_, at) => queued(`wish number ${at}`));
  expect(await promptsIn([first, ...many, claude('wish number 0')])).toHaveLength(queuedPromptsMax + 3);
});

it('claude-code: what waited in the queue, when it was passed on', async () => {
  const queue = (operation: string, second: number, content?: string): JsonObject => ({
    ...{ type: 'queue-operation', operation, sessionId: 's1' },
    ...{ timestamp: `2026-05-04T03:02:0${second}.000Z`, ...(content !== undefined && { content }) },
  });
  const prompts = await promptsIn([
    ...[claude('begin'), queue('enqueue', 2, 'faster'), queue('enqueue', 3, 'quieter')],
    ...[queue('remove', 5), queue('remove', 6, 'quieter'), queue('remove', 7)],
  ]);
  expect(prompts.map(({ ts: at, text }) => [at.slice(17, 19), text])).toEqual([
    ['01', 'begin'],
    ['05', 'faster'],
    ['06', 'quieter'],
  ]);
});

it('codex: the item, not the event next to it, nor what the program put in', async () => {
  const item = (text: string, more: JsonObject = {}): JsonObject => ({
    timestamp: ts,
    type: 'response_item',
    payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }], ...more },
  });
  const from = (type: string): JsonObject => ({
    internal_chat_message_metadata_passthrough: { content_item_metadata: [{ provenance: { type } }] },
  });
  const meta = (more: JsonObject): JsonObject => ({
    timestamp: ts,
    type: 'session_meta',
    payload: { id: 's2', cwd: '/p', ...more },
  });
  const records = [
    item('<environment_context>\n<cwd>/p</cwd>\n</environment_context>'),
    item('be kind', from('harness')),
    item('grind the rye', from('user')),
    item('in an older version'),
    { timestamp: ts, type: 'event_msg', payload: { type: 'user_message', message: 'grind the rye' } },
  ];
  const prompts = await promptsIn([meta({}), ...records]);
  expect(prompts).toEqual([
    { role: 'user', sessionId: 's2', ts, text: 'grind the rye' },
    { role: 'user', sessionId: 's2', ts, text: 'in an older version' },
  ]);
  expect(await promptsIn([meta({ source: { subagent: 'review' } }), ...records])).toEqual([]);
});

it('gemini-cli: each message once, in both forms, without the files that it names', async () => {
  const said = {
    id: 'm0',
    timestamp: ts,
    type: 'user',
    content: [{ text: 'grind @rye.txt' }, { text: '\n--- Content from referenced files ---\nrye' }],
  };
  const document = { sessionId: 's3', projectHash: '00', messages: [said, { ...said, id: 'm1' }] };
  expect(texts(await promptsIn(JSON.stringify(document, null, 2)))).toEqual([
    'grind @rye.txt',
    'grind @rye.txt',
  ]);
  const lines = [
    { sessionId: 's3', projectHash: '00' },
    { $set: { messages: [said] } },
    { ...said, displayContent: 'grind' },
    { ...said, id: 'm1', displayContent: 'grind' },
  ];
  expect(await promptsIn(lines)).toEqual([
    { role: 'user', sessionId: 's3', ts, text: 'grind @rye.txt' },
    { role: 'user', sessionId: 's3', ts, text: 'grind' },
  ]);
});

it('qwen-code: the user’s own records', async () => {
  const record = (text: string, more: JsonObject): JsonObject => ({
    sessionId: 's4',
    timestamp: ts,
    type: 'user',
    message: { role: 'user', parts: [{ text }] },
    ...more,
  });
  const prompts = await promptsIn([
    record('grind', { provenance: 'real_user' }),
    record('an older version', {}),
    record('a notice', { provenance: 'system' }),
    record('a result', { type: 'tool_result' }),
  ]);
  expect(prompts.map(({ sessionId, text }) => [sessionId, text])).toEqual([
    ['s4', 'grind'],
    ['s4', 'an older version'],
  ]);
});

it('copilot-cli: the message as it was typed, not a skill’s', async () => {
  const event = (type: string, data: JsonObject, more: JsonObject = {}): JsonObject => ({
    type,
    data,
    id: 'e',
    timestamp: ts,
    ...more,
  });
  const prompts = await promptsIn([
    event('session.start', { sessionId: 's5' }),
    event('user.message', { content: 'grind', transformedContent: '<current_datetime/>grind' }),
    event('user.message', { content: 'how to mill', source: 'skill-mill' }),
    event('user.message', { content: 'a task' }, { agentId: 'a1' }),
  ]);
  expect(prompts).toEqual([{ role: 'user', sessionId: 's5', ts, text: 'grind' }]);
});
