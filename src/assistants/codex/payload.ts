import type { Json } from '#core/event';
import { type Payload, readHookCall, readHookMessage } from '../form/index.ts';

/**
 * Codex: PostToolUse, also for failed calls. The exit status is only in the header of some results
 * (recorded with 0.169.0).
 */
export const payload: Payload = {
  recognises: (payload) => 'turn_id' in payload && 'hook_event_name' in payload,
  read: (payload) =>
    readHookCall(payload, (output) => ({ output, isError: saysFailed(output) })) ?? readHookMessage(payload),
};

/** Only in the header: the same words further down are some program's output. */
export function saysFailed(output: Json | undefined): boolean {
  if (typeof output !== 'string') return false;
  const head = output.slice(0, 300).split('\nOutput:')[0] ?? '';
  const code = /^(?:Exit code:|Process exited with code) (-?\d+)$/m.exec(head);
  return (code !== null && Number(code[1]) !== 0 && headerOnly(head)) || neverRun.test(head);
}

/** Codex's own words for an unknown tool, a call that a hook denied (recorded with 0.169.0), and a patch or command that it could not begin. */
const neverRun =
  /^(?:unsupported call: |(?:Command|Tool call) blocked by PreToolUse hook: |apply_patch verification failed: |apply_patch handler received |patch rejected\b|exec_command failed for |write_stdin failed: |failed to parse function arguments: )/;

function headerOnly(head: string): boolean {
  const line =
    /^(?:Exit code:|Process exited with code|Chunk ID:|Wall time:|Original token count:|Total output lines:) /;
  return head.split('\n').every((candidate) => candidate === '' || line.test(candidate));
}
