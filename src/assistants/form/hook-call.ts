import { type Json, type JsonObject, own, stringAt } from '#core/event';
import { errorText, idAt, unnamed, whereIn } from './fields.ts';
import type { ReportedCall } from './reported.ts';

/** The hook events of a finished call, as Claude Code names them. */
export const postToolUse: readonly string[] = ['PostToolUse', 'PostToolUseFailure'];

/** The call of a payload in Claude Code's shape, which others vary; null for another shape or an event that is not in `events`. */
export function readHookCall(
  payload: JsonObject,
  resultOf: (
    response: Json | undefined,
    tool: string,
  ) => { readonly output: Json | undefined; readonly isError?: boolean },
  events = postToolUse,
): ReportedCall | null {
  const event = stringAt(payload, 'hook_event_name') ?? '';
  const tool = stringAt(payload, 'tool_name');
  if (!tool || !events.includes(event)) return null;
  const failed = event.endsWith('Failure');
  const error = own(payload, 'error');
  const result = resultOf(own(payload, 'tool_response'), tool);
  const output = failed && error !== undefined ? errorText(error) : result.output;
  return {
    kind: 'call',
    tool,
    input: own(payload, 'tool_input'),
    output: output === undefined ? unnamed(payload, ...known) : output,
    // Qwen Code has both; only the first is in its transcript.
    toolUseId: idAt(payload, 'tool_call_id', 'tool_use_id'),
    isError: failed || result.isError === true,
    ...whereIn(payload),
  };
}

const known = [
  ...['hook_event_name', 'tool_name', 'tool_input', 'session_id', 'tool_use_id', 'tool_call_id'],
  ...['timestamp', 'cwd', 'transcript_path', 'prompt_id', 'permission_mode', 'effort', 'duration_ms'],
  ...['agent_id', 'agent_type', 'mcp_server', 'mcp_context', 'model', 'turn_id', 'is_interrupt'],
];
