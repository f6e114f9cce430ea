import * as v from 'valibot';
import type { Json, JsonObject } from '../../core/event/index.ts';
import { errorText, id, json, name, shaped, text, without } from './fields.ts';
import type { ReportedCall } from './reported.ts';

/** The hook events of a finished call, as Claude Code names them. */
export const postToolUse: readonly string[] = ['PostToolUse', 'PostToolUseFailure'];

/** Claude Code's shape of a finished call, which Codex, Gemini CLI, Qwen Code and Copilot CLI vary. */
const hookCall = v.object({
  hook_event_name: name,
  tool_name: name,
  tool_input: json,
  tool_response: json,
  tool_result: json,
  error: json,
  session_id: id,
  tool_use_id: id,
  tool_call_id: id,
  timestamp: json,
  cwd: text,
});
type HookCall = v.InferOutput<typeof hookCall>;

/** The call of a payload in that shape; null for another shape or an event that is not in `events`. */
export function readHookCall(
  payload: JsonObject,
  resultOf: (hook: HookCall) => { readonly output: Json | undefined; readonly isError?: boolean },
  events = postToolUse,
): ReportedCall | null {
  const hook = shaped(hookCall, payload);
  if (hook === null || !events.includes(hook.hook_event_name)) return null;
  const failed = hook.hook_event_name.endsWith('Failure');
  const result = resultOf(hook);
  const output = failed && hook.error !== undefined ? errorText(hook.error) : result.output;
  return {
    kind: 'call',
    tool: hook.tool_name,
    input: hook.tool_input,
    output: output === undefined ? unknownFields(payload) : output,
    sessionId: hook.session_id,
    // Qwen Code has both; only this one is in its transcript.
    toolUseId: hook.tool_call_id ?? hook.tool_use_id,
    ts: hook.timestamp,
    isError: failed || result.isError === true,
    cwd: hook.cwd,
  };
}

/** A result under an unknown name is still in the payload. */
function unknownFields(payload: JsonObject): Json {
  const unknown = without(
    payload,
    ...['hook_event_name', 'tool_name', 'tool_input', 'session_id', 'tool_use_id', 'tool_call_id'],
    ...['timestamp', 'cwd', 'transcript_path', 'prompt_id', 'permission_mode', 'effort', 'duration_ms'],
    ...['agent_id', 'agent_type', 'mcp_server', 'mcp_context', 'model', 'turn_id', 'is_interrupt'],
  );
  return Object.keys(unknown).length === 0 ? '' : unknown;
}
