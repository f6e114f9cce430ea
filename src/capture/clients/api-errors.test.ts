import { expect, it } from 'vitest';
import { prepare } from '#capture/intake';
import type { Json, JsonObject, ToolEvent } from '#core/event';
import { adapt } from './index.ts';
import { readRecords } from './transcript.ts';

const ask = 'Grind the rye.';
const claude = { sessionId: 's1', timestamp: '2026-05-04T03:02:01.250Z' };
const part = { opencode: 'part', session: 's1' };
const pi = (id: string, parentId: string | null, message: JsonObject): JsonObject => ({
  ...{ type: 'message', id, parentId, message },
});
const failure = (more: JsonObject): JsonObject => ({
  hook_event_name: 'StopFailure',
  session_id: 's1',
  ...more,
});

function live(client: string, payload: Json): ToolEvent {
  const adapted = adapt(payload, { receivedAt: '2026-05-04T03:02:01.000Z', cwd: '/mill', client });
  if (adapted.kind === 'ignored') throw new Error(adapted.reason);
  return prepare(adapted.observation).event;
}

async function recorded(records: readonly Json[]): Promise<readonly ToolEvent[]> {
  const events: ToolEvent[] = [];
  const take: Parameters<typeof readRecords>[2] = (item) => {
    if (item.kind === 'observation') events.push(prepare(item.observation).event);
  };
  await readRecords('records', records, take, { ms: 1 });
  return events;
}

const overloaded = 'API Error: 529 the mill is busy';
const codexError = { type: 'event_msg', payload: { type: 'error', message: '529 the mill is busy' } };
const copilotError = { type: 'session.error', data: { errorType: 'query', message: '529 the mill is busy' } };
const codexPrompt = {
  type: 'response_item',
  payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: ask }] },
};
const opencodeError = { type: 'error', text: '529 the mill is busy' };

it.each<[string, readonly Json[], ...JsonObject[]]>([
  [
    'claude-code',
    [
      { ...claude, type: 'user', promptId: 'p1', message: { content: ask } },
      {
        ...{ ...claude, type: 'assistant', isApiErrorMessage: true },
        message: { model: '<synthetic>', content: [{ type: 'text', text: overloaded }] },
      },
    ],
    failure({ prompt_id: 'p1', error: 'overloaded', last_assistant_message: overloaded }),
  ],
  [
    'pi',
    [
      { type: 'session', version: 3, id: 's1', cwd: '/home/ada/mill' },
      pi('a1', null, { role: 'user', content: ask, timestamp: 17 }),
      pi('b2', 'a1', {
        ...{ role: 'assistant', content: [], timestamp: 19 },
        ...{ stopReason: 'error', errorMessage: '529 the mill is busy' },
      }),
    ],
    failure({
      ...{ last_assistant_message: '529 the mill is busy', timestamp: 19 },
      ...{ message_id: '19:error', prompt_id: '17' },
    }),
  ],
  ['codex', [{ type: 'session_meta', payload: { id: 's1' } }, codexPrompt, codexError]],
  [
    'codex 0.171',
    [
      { type: 'session_meta', payload: { id: 's1' } },
      codexPrompt,
      {
        type: 'event_msg',
        payload: {
          ...{ type: 'task_complete', turn_id: 't1', last_agent_message: null },
          error: { message: JSON.stringify({ error: { code: 529, message: '529 the mill is busy' } }) },
        },
      },
    ],
  ],
  [
    'cline',
    [
      {
        ...{ agent: 'lead', sessionId: 's1', origin: {} },
        messages: [
          { id: 'u1', role: 'user', content: ask, ts: 17 },
          {
            ...{
              id: 'error_1',
              role: 'assistant',
              content: [{ type: 'text', text: '529 the mill is busy' }],
            },
            ...{ ts: 19, metadata: { displayOnly: true, displayRole: 'error' } },
          },
        ],
      },
    ],
    failure({ last_assistant_message: '529 the mill is busy', prompt_id: 'u1', client: 'cline' }),
  ],
  [
    'qwen-code',
    [
      { type: 'user', sessionId: 's1', message: { role: 'user', parts: [{ text: ask }] } },
      {
        ...{ type: 'system', sessionId: 's1', subtype: 'ui_telemetry' },
        systemPayload: {
          uiEvent: {
            'event.name': 'qwen-code.api_error',
            ...{ prompt_id: 's1########0', error_message: '529 the mill is busy' },
          },
        },
      },
    ],
    failure({ prompt_id: 's1########0', last_assistant_message: '[API Error: 529 the mill is busy]' }),
  ],
  [
    'gemini-cli',
    [
      { sessionId: 's1', projectHash: 'h' },
      { id: '1', type: 'user', content: ask },
      { id: '2', type: 'error', content: `[${overloaded}]` },
      { id: '3', type: 'error', content: 'Unknown command: /mill' },
    ],
  ],
  [
    'copilot-cli',
    [
      { type: 'session.start', data: { sessionId: 's1' } },
      { type: 'user.message', data: { content: ask } },
      copilotError,
    ],
  ],
  [
    'opencode',
    [
      {
        ...part,
        ...{ role: 'user', message: 'm1' },
        part: { type: 'text', text: ask },
      },
      { ...part, ...{ role: 'assistant', message: 'm2' }, part: opencodeError },
    ],
  ],
])('%s: the API error that ended a turn is an error, and no reply', async (client, records, ...hooks) => {
  const read = await recorded(records);
  expect(read.map(({ tool, isError, output }) => [tool, isError, output])).toEqual([
    ['Prompt', false, ask],
    ['Reply', true, 'API error: 529 the mill is busy'],
  ]);
  for (const one of hooks) expect(live(client, one)).toMatchObject({ id: read[1]?.id, isError: true });
});

it('an API error without words is named by its details, or its kind', () => {
  const said = (more: JsonObject) => live('qwen-code', failure(more)).output;
  expect(said({ error: 'rate_limit', error_details: '429 too many' })).toBe('API error: 429 too many');
  expect(said({ error: 'loop_detected' })).toBe('API error: loop_detected');
});
