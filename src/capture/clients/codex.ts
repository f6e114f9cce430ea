import type { Json, JsonObject } from '../../core/event/index.ts';
import type { Client, Told } from './client.ts';
import { callOf, hookCallOf } from './hook-call.ts';

/**
 * Codex: PostToolUse, failed calls too. It tells no exit status but in the text that some tools begin
 * their result with (recorded with 0.169.0; CLIENTS.md, section 2).
 */
export const codex: Client = {
  name: 'codex',
  recognises: (payload) => 'turn_id' in payload && 'hook_event_name' in payload,
  tell: readCodex,
};

function readCodex(payload: JsonObject): Told {
  const hook = hookCallOf(payload, ['PostToolUse', 'PostToolUseFailure']);
  if (hook === null) return null;
  const output = hook.tool_response;
  return { call: callOf(payload, hook, { output, isError: saysFailed(output) }) };
}

/** Only in the header: the same words further down are some program's output. */
export function saysFailed(output: Json | undefined): boolean {
  if (typeof output !== 'string') return false;
  const head = output.slice(0, 300).split('\nOutput:')[0] ?? '';
  const code = /^(?:Exit code:|Process exited with code) (-?\d+)$/m.exec(head);
  return (code !== null && Number(code[1]) !== 0 && headerOnly(head)) || neverRun.test(head);
}

/** Its own words for a call of a tool that it has not, and for one that a hook has denied (recorded with 0.169.0). */
const neverRun = /^(?:unsupported call: |(?:Command|Tool call) blocked by PreToolUse hook: )/;

function headerOnly(head: string): boolean {
  const line =
    /^(?:Exit code:|Process exited with code|Chunk ID:|Wall time:|Original token count:|Total output lines:) /;
  return head.split('\n').every((candidate) => candidate === '' || line.test(candidate));
}
