import type { Json, Payload } from '#core/event';
import { type Call, readCall } from '#reading/call';
import { subjectsOf } from '../../../src/reading/subjects/subjects.ts';

/** A payload for the tests of this folder: `tool` called with `input`, which gave `output`. */
export function sampleCall(tool: string, input: Json, output: Json, more: Partial<Payload> = {}): Payload {
  return {
    tool,
    input,
    output,
    sessionId: 's-1',
    toolUseId: 'call-1',
    ts: '2026-03-04T05:06:07.000Z',
    client: 'claude-code',
    isError: false,
    cwd: '/home/dev/shop',
    ...more,
  };
}

/** A command of Claude Code that printed `lines`; `code` is the exit status of the whole. */
export function endedCommand(command: string, lines: readonly string[], code = 0): Call {
  const printed = lines.join('\n');
  const output = code === 0 ? { stdout: printed, stderr: '' } : `Exit code ${code}\n${printed}`;
  return readCall(sampleCall('Bash', { command }, output, { isError: code !== 0, cwd: '/p' }));
}

/** The subjects of a call, each as `kind name = outcome`. */
export function subjectLines(
  tool: string,
  input: Json,
  output: Json = '',
  more: Partial<Payload> = {},
): string[] {
  return subjectsOf(readCall(sampleCall(tool, input, output, more))).map(
    ({ kind, name, outcome }) => `${kind} ${name} = ${outcome}`,
  );
}

/** The same of a shell command. */
export function runSubjects(command: string, output: Json = 'done', more: Partial<Payload> = {}): string[] {
  return subjectLines('Bash', { command }, output, more);
}
