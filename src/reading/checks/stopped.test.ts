import { describe, expect, test } from 'vitest';
import { readCall } from '#reading/call';
import { checked } from './run.ts';

const call = {
  tool: 'run_shell_command',
  input: { command: 'pytest' },
  sessionId: 's',
  toolUseId: null,
  ts: '2026-01-01T12:00:00.000Z',
  client: 'gemini-cli',
  cwd: '/p',
};

describe('what a person stopped', () => {
  const gemini = (output: string) => readCall({ ...call, output: { error: output }, isError: true });

  test.each([
    '[Operation Cancelled] Reason: User cancelled the operation.',
    'Command was cancelled by user before it could complete. Below is the output before it was cancelled:\n1 failed',
    'aborted by user after 12.3s',
    'Tool execution aborted',
    '<bash_metadata>\nUser aborted the command\n</bash_metadata>',
  ])('has no end that is known: %j', (output) => {
    const stopped = gemini(output);
    expect(stopped.result).toMatchObject({ failed: false, refused: false, stopped: true });
    expect(checked(stopped)).toBe(output.includes('1 failed') ? 'failed' : 'unknown');
  });

  test('before it began is refused', () => {
    const refused = gemini('[Operation Cancelled] Reason: User did not allow tool call');
    expect(refused.result).toMatchObject({ refused: true, stopped: false });
    expect(checked(refused)).toBe('none');
  });
});

test.each([
  ['gofmt -l .', 0],
  ['npx prettier --list-different src', 1],
  ['npx prettier -l src', 1],
  ['pytest --collect-only -q', 0],
  ['npx jest --listTests', 0],
])('a command that only lists is no check: %s', (command, code) => {
  const output = `Exit code ${code}\nsrc/mill.go\nsrc/mill_test.go`;
  expect(checked(readCall({ ...call, input: { command }, output, isError: code !== 0 }))).toBe('none');
});
