import * as v from 'valibot';
import type { Json, JsonObject } from '../../core/event/index.ts';
import type { Call, Client, Told } from './client.ts';
import { errorText, id, json, name, shaped, text, without } from './fields.ts';
import { parsedJson } from './parsed-json.ts';

/**
 * Cursor: postToolUse, postToolUseFailure, afterShellExecution, afterMCPExecution, afterFileEdit. Known at
 * second hand only (CLIENTS.md, section 2), so every field but the event may be missing, and a result under
 * another name is kept with the whole payload.
 */
export const cursor: Client = {
  name: 'cursor',
  recognises: (payload) => shaped(event, payload) !== null,
  tell: readCursor,
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

function readCursor(payload: JsonObject): Told {
  const told = shaped(fields, payload);
  if (told === null) return null;
  const error = told.error_message ?? told.error;
  const call: Call = {
    ...whatOf(told),
    output: error === undefined || error === null ? (resultOf(told) ?? rest(payload)) : errorText(error),
    sessionId: told.conversation_id ?? told.session_id,
    toolUseId: told.tool_use_id,
    ts: told.timestamp,
    isError: told.hook_event_name === 'postToolUseFailure' || (error !== undefined && error !== null),
    cwd: told.cwd ?? told.workspace_roots[0] ?? null,
  };
  return { call };
}

function whatOf(told: Fields): Pick<Call, 'tool' | 'input'> {
  switch (told.hook_event_name) {
    case 'afterShellExecution':
      return { tool: told.tool_name ?? 'Shell', input: { command: told.command ?? '' } };
    case 'afterFileEdit':
      return {
        tool: told.tool_name ?? 'Edit',
        input: { file_path: told.file_path ?? '', edits: told.edits ?? [] },
      };
    case 'afterMCPExecution':
    case 'postToolUse':
    case 'postToolUseFailure':
      return { tool: told.tool_name ?? 'unknown', input: parsedJson(told.tool_input) };
  }
}

/** Inputs and results come as JSON texts. */
function resultOf(told: Fields): Json | undefined {
  if (told.hook_event_name === 'afterFileEdit') return told.output ?? '';
  return parsedJson(told.result_json ?? told.tool_output ?? told.output);
}

function rest(payload: JsonObject): JsonObject {
  return without(payload, 'tool_input', 'command', 'transcript_path', 'user_email');
}
