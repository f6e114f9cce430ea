import { expect, it } from 'vitest';
import { readCall } from '#reading/call';
import { lastingLines } from './index.ts';

it('knows a replaced part of a line by the whole line that the client recorded', () => {
  const call = readCall({
    tool: 'Edit',
    input: { file_path: '/p/a.css', old_string: 'color: red', new_string: 'color: navy' },
    output: {
      filePath: '/p/a.css',
      structuredPatch: [{ lines: ['-.mill { color: red; }', '+.mill { color: navy; }'] }],
    },
    ...{
      sessionId: 's',
      toolUseId: null,
      ts: '2026-01-01T12:00:00.000Z',
      client: 'claude-code',
      isError: false,
      cwd: '/p',
    },
  });
  expect(lastingLines(call)).toEqual([{ path: '/p/a.css', lines: ['.mill { color: navy; }'] }]);
});
