import { describe, expect, test } from 'vitest';
import { adapt } from '#capture/clients';
import { prepare } from '#capture/intake';
import type { Json, JsonObject } from '#core/event';
import {
  bad,
  callOf,
  clock,
  imported,
  now,
  opened,
  openedForEach,
  verdict,
} from '../../../../test/support/store/ends.ts';

openedForEach();

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
