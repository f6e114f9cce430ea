import * as v from 'valibot';
import type { Json, JsonObject } from '../../core/event/index.ts';
import type { Call } from './client.ts';
import { errorText, id, json, name, shaped, text, without } from './fields.ts';

/**
 * The shape of a finished call that Claude Code began and Codex, Gemini CLI, Qwen Code and Copilot CLI vary.
 * Only the tool's name has to be there.
 */
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
export type HookCall = v.InferOutput<typeof hookCall>;

/** The payload in that shape when its event is one of `events`, else null. */
export function hookCallOf(payload: JsonObject, events: readonly string[]): HookCall | null {
  const call = shaped(hookCall, payload);
  return call !== null && events.includes(call.hook_event_name) ? call : null;
}

/** The call with what all clients of that shape tell alike; `told` is what this client has of its own. */
export function callOf(
  payload: JsonObject,
  hook: HookCall,
  told: { readonly output: Json | undefined; readonly isError?: boolean; readonly toolUseId?: string | null },
): Call {
  const failed = hook.hook_event_name.endsWith('Failure');
  const output = failed && hook.error !== undefined ? errorText(hook.error) : told.output;
  return {
    tool: hook.tool_name,
    input: hook.tool_input,
    output: output === undefined ? rest(payload) : output,
    sessionId: hook.session_id,
    toolUseId: told.toolUseId === undefined ? hook.tool_use_id : told.toolUseId,
    ts: hook.timestamp,
    isError: failed || told.isError === true,
    cwd: hook.cwd,
  };
}

/** A result under a name that nobody told us of is still in the payload: what is not known to be something else. */
function rest(payload: JsonObject): Json {
  const unknown = without(
    payload,
    ...['hook_event_name', 'tool_name', 'tool_input', 'session_id', 'tool_use_id', 'tool_call_id'],
    ...['timestamp', 'cwd', 'transcript_path', 'prompt_id', 'permission_mode', 'effort', 'duration_ms'],
    ...['agent_id', 'agent_type', 'mcp_server', 'mcp_context', 'model', 'turn_id', 'is_interrupt'],
  );
  return Object.keys(unknown).length === 0 ? '' : unknown;
}
