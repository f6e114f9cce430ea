import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newStore, summarised, type TestStore } from '../../../test/support/store/store.ts';
import { parsePayload, readCall } from '../../calls/call/index.ts';
import { checked, commandVerdict } from '../../calls/checks/index.ts';
import { adapt, readTranscript } from '../../capture/clients/index.ts';
import { prepare } from '../../capture/intake/index.ts';
import type { Json, JsonObject, ToolEvent } from '../../core/event/index.ts';

let opened: TestStore;
let folder = '';
beforeEach(() => {
  opened = newStore();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-ends-'));
});
afterEach(() => {
  opened.remove();
  fs.rmSync(folder, { recursive: true, force: true });
});

const bad = '2 passed, 1 failed in 2.31s';
let clock = 0;
const now = (): string => new Date(Date.UTC(2026, 0, 1, 12, 0, ++clock)).toISOString();

/** What a transcript of these records holds, as it is stored. */
async function imported(records: readonly JsonObject[]): Promise<void> {
  const file = path.join(folder, 'session.jsonl');
  fs.writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const events: ToolEvent[] = [];
  await readTranscript(file, async (item) => {
    if (item.kind === 'observation') events.push(prepare(item.observation).event);
  });
  opened.store.events.insert(events);
}

/** The call that ran `command`, as every reader gets it. */
function callOf(command: string) {
  const sql = 'SELECT payload_json, is_error, status FROM events WHERE instr(payload_json, ?) > 0';
  const row = opened.store.connection.get(sql, JSON.stringify(command).slice(1, -1));
  const parsed = parsePayload(String(row?.payload_json));
  if (!('payload' in parsed)) throw new Error(parsed.error);
  return { call: readCall(parsed.payload), isError: row?.is_error, status: row?.status };
}

function verdict(command = 'pytest -q'): string {
  const { call } = callOf(command);
  expect(commandVerdict(call)).toBe(checked(call));
  return checked(call);
}

// Claude Code.
const claude = (type: string, more: JsonObject): JsonObject => ({
  ...{ type, uuid: `u${clock}`, sessionId: 's1', cwd: '/p', timestamp: now() },
  ...more,
});
const used = (id: string, name: string, input: Json): JsonObject =>
  claude('assistant', { message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] } });
const result = (id: string, content: string, structured: Json): JsonObject =>
  claude('user', {
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
    toolUseResult: structured,
  });
const shell = { stdout: '', stderr: '', interrupted: false };
const started = (command = 'pytest -q'): JsonObject[] => [
  used('t1', 'Bash', { command, run_in_background: true }),
  result('t1', 'Command running in background with ID: b1. Output is being written to: /tmp/b1.output', {
    ...shell,
    backgroundTaskId: 'b1',
  }),
];
const notice = (status: string, summary: string, more = ''): string =>
  `<task-notification>\n<task-id>b1</task-id>\n${more}<output-file>/tmp/b1.output</output-file>\n<status>${status}</status>\n<summary>Background command "Run it" ${summary}</summary>\n</task-notification>`;
const output = (status: string, code: number | null, text: string): JsonObject[] => [
  used('t2', 'TaskOutput', { task_id: 'b1', block: true }),
  result('t2', `<retrieval_status>success</retrieval_status>\n<status>${status}</status>`, {
    retrieval_status: 'success',
    task: {
      task_id: 'b1',
      task_type: 'local_bash',
      status,
      output: text,
      ...(code !== null && { exitCode: code }),
    },
  }),
];

describe('work that Claude Code started in the background', () => {
  test('has no end before one is reported', async () => {
    await imported([...started(), ...output('running', null, '...')]);
    expect(verdict()).toBe('started');
    expect(callOf('pytest -q').call.result.running).toBe(true);
  });

  test.each([
    ['by TaskOutput', () => output('failed', 1, bad), 'failed'],
    ['by TaskOutput, well', () => output('completed', 0, '3 passed in 1.2s'), 'passed'],
    [
      'by a notification',
      () => [
        claude('queue-operation', {
          operation: 'enqueue',
          content: notice('failed', 'failed with exit code 1'),
        }),
      ],
      'failed',
    ],
    [
      'by a notification in the place of a prompt',
      () => [
        claude('user', {
          promptId: 'p2',
          message: {
            role: 'user',
            content: notice('completed', 'completed (exit code 0)', '<tool-use-id>t1</tool-use-id>\n'),
          },
        }),
      ],
      'passed',
    ],
    [
      'by the notification of older versions',
      () => [
        claude('user', {
          message: {
            role: 'user',
            content: `<bash-notification>\n<shell-id>b1</shell-id>\n<status>failed</status>\n<summary>Background command "Run it" failed with exit code 2</summary>\n</bash-notification>\nRead the output file to retrieve the output: /tmp/b1.output`,
          },
        }),
      ],
      'failed',
    ],
    [
      'by BashOutput of older versions',
      () => [
        used('t2', 'BashOutput', { bash_id: 'b1' }),
        result(
          't2',
          `<status>failed</status>\n\n<exit_code>1</exit_code>\n\n<stdout>\n${bad}\n</stdout>`,
          `<status>failed</status>\n\n<exit_code>1</exit_code>\n\n<stdout>\n${bad}\n</stdout>`,
        ),
      ],
      'failed',
    ],
    [
      'by a stop',
      () => [used('t2', 'TaskStop', { task_id: 'b1' }), result('t2', 'Stopped', { message: 'Stopped b1' })],
      'unknown',
    ],
  ] as const)('ended %s', async (_, end, expected) => {
    const records = [...started(), ...end()];
    await imported(records);
    expect(verdict()).toBe(expected);
    const { isError, status } = callOf('pytest -q');
    expect(isError).toBe(expected === 'failed' ? 1 : 0);
    expect(status).toBe('raw');
    // The same transcript again changes nothing, and a notification is no event.
    const before = opened.store.connection.all('SELECT * FROM events');
    await imported(records);
    expect(opened.store.connection.all('SELECT * FROM events')).toEqual(before);
    expect(before.some(({ tool }) => tool === 'TaskNotification')).toBe(false);
  });

  test('has the verdict of its output where a pipe hides the exit status', async () => {
    const command = 'pytest -q 2>&1 | tail -3';
    await imported([...started(command), ...output('completed', 0, bad)]);
    expect(verdict(command)).toBe('failed');
  });

  test('keeps the output of one report and the exit status of another', async () => {
    const queued = claude('queue-operation', {
      operation: 'enqueue',
      content: notice('failed', 'failed with exit code 1'),
    });
    await imported([...started(), ...output('failed', 1, bad), queued]);
    expect(callOf('pytest -q').call.result).toMatchObject({ exitCode: 1, text: bad });
  });

  test('that was moved there, and an end of other work', async () => {
    await imported([
      used('t1', 'Bash', { command: 'pytest -q' }),
      result(
        't1',
        'Command did not complete within its 600s timeout and was moved to the background (ID: b2). Output is being written to: /tmp/b2.output',
        { ...shell, backgroundTaskId: 'b2' },
      ),
      ...output('failed', 1, bad),
    ]);
    expect(verdict()).toBe('started');
  });

  test('ends live, by the prompt that only says so', () => {
    const hook = { session_id: 's1', cwd: '/p', transcript_path: '/p/x.jsonl' };
    const take = (payload: JsonObject): string | null => {
      const adapted = adapt({ ...hook, ...payload }, { receivedAt: now(), cwd: '/p' });
      if (adapted.kind !== 'observation') return null;
      opened.store.events.insert([prepare(adapted.observation).event]);
      return adapted.observation.tool;
    };
    take({
      ...{ hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_use_id: 't1' },
      tool_input: { command: 'pytest -q', run_in_background: true },
      tool_response: { ...shell, backgroundTaskId: 'b1' },
    });
    expect(verdict()).toBe('started');
    take({ hook_event_name: 'UserPromptSubmit', prompt: notice('failed', 'failed with exit code 1') });
    expect(verdict()).toBe('failed');
  });

  test('loses its end with the event that reported it, also from its summary', async () => {
    await imported([...started(), ...output('failed', 1, `${bad}\nquokka`)]);
    const ids = summarised(opened.store, []);
    expect(ids).toEqual([]);
    const eventId = String(
      opened.store.connection.get("SELECT id FROM events WHERE tool = 'TaskOutput'")?.id,
    );
    opened.store.connection.transaction(() => opened.store.summaries.eraseEvent(eventId, null));
    expect(verdict()).toBe('started');
    expect(callOf('pytest -q').isError).toBe(0);
    expect(JSON.stringify(opened.store.connection.all('SELECT payload_json FROM events'))).not.toContain(
      'quokka',
    );
  });

  test('does not get the end back that was forgotten', async () => {
    const records = [...started(), ...output('failed', 1, bad)];
    await imported(records);
    const { connection, summaries } = opened.store;
    const eventId = String(connection.get("SELECT id FROM events WHERE tool = 'TaskOutput'")?.id);
    connection.run('INSERT INTO forgotten (event_id, ts) VALUES (?, ?)', eventId, now());
    connection.transaction(() => summaries.eraseEvent(eventId, null));
    await imported(records);
    expect(verdict()).toBe('started');
  });
});

describe('work that other assistants started', () => {
  const codex = (payload: JsonObject): JsonObject => ({ type: 'response_item', timestamp: now(), payload });
  const codexCall = (id: string, name: string, input: JsonObject, output: string): JsonObject[] => [
    codex({ type: 'function_call', name, arguments: JSON.stringify(input), call_id: id }),
    codex({ type: 'function_call_output', call_id: id, output }),
  ];
  const head = (state: string): string =>
    `Chunk ID: a1\nWall time: 10.0 seconds\nProcess ${state}\nOutput:\n`;
  const meta = (): JsonObject => ({
    type: 'session_meta',
    timestamp: now(),
    payload: { id: 's1', cwd: '/p' },
  });

  test('in Codex ends with write_stdin', async () => {
    const begin = codexCall(
      'c1',
      'exec_command',
      { cmd: 'pytest -q' },
      `${head('running with session ID 77')}collecting\n`,
    );
    await imported([meta(), ...begin]);
    expect(verdict()).toBe('started');
    const poll = codexCall(
      'c2',
      'write_stdin',
      { session_id: 77, chars: '' },
      `${head('running with session ID 77')}..`,
    );
    const end = codexCall(
      'c3',
      'write_stdin',
      { session_id: 77, chars: '' },
      `${head('exited with code 1')}${bad}`,
    );
    await imported([meta(), ...begin, ...poll, ...end]);
    expect(verdict()).toBe('failed');
    expect(callOf('pytest -q').call.result.text).toBe(`collecting\n${bad}`);
  });

  const copilot = (type: string, data: JsonObject): JsonObject => ({ type, data, timestamp: now() });
  const copilotCall = (id: string, toolName: string, args: JsonObject, content: string): JsonObject[] => [
    copilot('tool.execution_start', { toolCallId: id, toolName, arguments: args }),
    copilot('tool.execution_complete', { toolCallId: id, success: true, result: { content } }),
  ];
  const session = (): JsonObject => copilot('session.start', { sessionId: 's1', context: { cwd: '/p' } });

  test.each([
    [
      'read_bash',
      () =>
        copilotCall(
          'k2',
          'read_bash',
          { shellId: 'w1', delay: 10 },
          `${bad}\n<shellId: w1 completed with exit code 1>`,
        ),
      'failed',
    ],
    [
      'a poll',
      () =>
        copilotCall(
          'k2',
          'read_bash',
          { shellId: 'w1', delay: 10 },
          '..\n<command with shellId: w1 is still running after 10 seconds. The command is still running.>',
        ),
      'started',
    ],
    [
      'a notification',
      () => [
        copilot('system.notification', {
          content: 'Shell command completed',
          kind: { type: 'shell_completed', shellId: 'w1', exitCode: 2 },
        }),
      ],
      'failed',
    ],
    ['stop_bash', () => copilotCall('k2', 'stop_bash', { shellId: 'w1' }, 'stopped'), 'unknown'],
  ] as const)('in Copilot CLI: %s', async (_, end, expected) => {
    const begin = copilotCall(
      'k1',
      'bash',
      { command: 'pytest -q', mode: 'async', shellId: 'w1' },
      '<command started in background with shellId: w1>',
    );
    await imported([session(), ...begin, ...end()]);
    expect(verdict()).toBe(expected);
  });

  test('in Copilot CLI is the command that took longer than it waits for', async () => {
    const begin = copilotCall(
      'k1',
      'bash',
      { command: 'pytest -q' },
      '..\n<command with shellId: 44 is still running after 30 seconds. The command is still running.>',
    );
    await imported([session(), ...begin]);
    expect(verdict()).toBe('started');
    await imported([
      session(),
      ...begin,
      ...copilotCall(
        'k2',
        'read_bash',
        { shellId: '44' },
        '..\n3 passed in 1s\n<shellId: 44 completed with exit code 0>',
      ),
    ]);
    expect(verdict()).toBe('passed');
  });

  test.each([
    'Command is running in background. PID: 4711. Initial output:\n',
    'Command moved to background (PID: 4711). Output hidden. Press Ctrl+B to view.',
    'Background command started. PID: 4711',
  ])('in Gemini CLI and Qwen Code has no end: %s', async (said) => {
    const call = { id: 'g1', name: 'run_shell_command', args: { command: 'pytest -q', is_background: true } };
    await imported([
      { sessionId: 's1', projectHash: 'x', startTime: now() },
      {
        type: 'gemini',
        id: 'm1',
        timestamp: now(),
        content: '',
        toolCalls: [
          {
            ...call,
            status: 'success',
            timestamp: now(),
            result: [{ functionResponse: { response: { output: said } } }],
            resultDisplay: said,
          },
        ],
      },
    ]);
    expect(verdict()).toBe('started');
  });
});
