import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { bad, callOf, imported, now, openedForEach, verdict } from '../../../../test/support/store/ends.ts';

openedForEach();

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
