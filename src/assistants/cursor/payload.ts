import * as v from 'valibot';
import type { Json, JsonObject } from '../../core/event/index.ts';
import {
  errorText,
  id,
  json,
  name,
  type Payload,
  parsedJson,
  type ReportedCall,
  type ReportedMessage,
  shaped,
  text,
  without,
} from '../form/index.ts';

/**
 * Cursor, from its documentation only (CLIENTS.md, section 2): every field but the event may be missing, and
 * a result under another name is kept with the whole payload.
 */
export const payload: Payload = {
  recognises: (payload) => shaped(event, payload) !== null || shaped(message, payload) !== null,
  read: (payload) => readCursor(payload) ?? readMessage(payload),
};

const event = v.object({
  hook_event_name: v.picklist([
    'postToolUse',
    'postToolUseFailure',
    'afterShellExecution',
    'afterMCPExecution',
    'afterFileEdit',
  ]),
});

/** `generation_id` is the turn's. */
const message = v.object({
  hook_event_name: v.picklist(['beforeSubmitPrompt', 'afterAgentResponse']),
  prompt: text,
  text,
  conversation_id: id,
  session_id: id,
  generation_id: id,
  timestamp: json,
  workspace_roots: v.fallback(v.array(v.string()), []),
});

function readMessage(payload: JsonObject): ReportedMessage | null {
  const hook = shaped(message, payload);
  if (hook === null) return null;
  const isPrompt = hook.hook_event_name === 'beforeSubmitPrompt';
  return {
    kind: 'message',
    event: hook.hook_event_name,
    role: isPrompt ? 'user' : 'assistant',
    text: (isPrompt ? hook.prompt : hook.text) ?? '',
    sessionId: hook.conversation_id ?? hook.session_id,
    turnId: hook.generation_id,
    ts: hook.timestamp,
    cwd: hook.workspace_roots[0] ?? null,
  };
}

const fields = v.object({
  ...event.entries,
  tool_name: v.fallback(v.nullable(name), null),
  tool_input: json,
  tool_output: json,
  result_json: json,
  error_message: json,
  error: json,
  command: json,
  output: json,
  file_path: json,
  edits: json,
  conversation_id: id,
  session_id: id,
  tool_use_id: id,
  timestamp: json,
  cwd: text,
  workspace_roots: v.fallback(v.array(v.string()), []),
});
type Fields = v.InferOutput<typeof fields>;

function readCursor(payload: JsonObject): ReportedCall | null {
  const hook = shaped(fields, payload);
  if (hook === null) return null;
  const error = hook.error_message ?? hook.error ?? null;
  return {
    kind: 'call',
    ...toolOf(hook),
    output: error === null ? (resultOf(hook) ?? rest(payload)) : errorText(error),
    sessionId: hook.conversation_id ?? hook.session_id,
    toolUseId: hook.tool_use_id,
    ts: hook.timestamp,
    isError: hook.hook_event_name === 'postToolUseFailure' || error !== null,
    cwd: hook.cwd ?? hook.workspace_roots[0] ?? null,
  };
}

function toolOf(hook: Fields): Pick<ReportedCall, 'tool' | 'input'> {
  switch (hook.hook_event_name) {
    case 'afterShellExecution':
      return { tool: hook.tool_name ?? 'Shell', input: { command: hook.command ?? '' } };
    case 'afterFileEdit':
      return {
        tool: hook.tool_name ?? 'Edit',
        input: { file_path: hook.file_path ?? '', edits: hook.edits ?? [] },
      };
    case 'afterMCPExecution':
    case 'postToolUse':
    case 'postToolUseFailure':
      return { tool: hook.tool_name ?? 'unknown', input: parsedJson(hook.tool_input) };
  }
}

/** Inputs and results come as JSON texts. */
function resultOf(hook: Fields): Json | undefined {
  if (hook.hook_event_name === 'afterFileEdit') return hook.output ?? '';
  return parsedJson(hook.result_json ?? hook.tool_output ?? hook.output);
}

function rest(payload: JsonObject): JsonObject {
  return without(payload, 'tool_input', 'command', 'transcript_path', 'user_email');
}
