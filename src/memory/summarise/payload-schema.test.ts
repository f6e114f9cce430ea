import { describe, expect, test } from 'vitest';
import { parsePayload } from '#reading/call';

describe('parsePayload', () => {
  test('takes what is stored', () => {
    const payload = {
      tool: 'Bash',
      input: { command: 'ls' },
      output: ['a'],
      sessionId: 's',
      toolUseId: 't',
      ts: '2026-01-01T00:00:00.000Z',
      client: 'codex',
      isError: true,
      cwd: '/p',
    };
    expect(parsePayload(JSON.stringify(payload))).toEqual({ payload });
  });

  test('fills in what an operator or an older version left out', () => {
    expect(parsePayload('{"tool":"Read"}')).toEqual({
      payload: {
        tool: 'Read',
        input: null,
        output: null,
        sessionId: '',
        toolUseId: null,
        ts: '',
        client: 'unknown',
        isError: false,
        cwd: null,
      },
    });
  });

  test.each([
    '',
    '{',
    '{"tool":"Bash","input":{"comm',
    'null',
    '[]',
    '"x"',
    '{}',
    '{"tool":1}',
    '{"tool":"x","isError":"no"}',
  ])('says that it is malformed: %j', (text) => {
    expect(parsePayload(text)).toEqual({ error: expect.stringMatching(/^malformed payload: ./) });
  });
});
