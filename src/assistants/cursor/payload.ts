import { type Json, type JsonObject, own, stringAt } from '#core/event';
import {
  errorText,
  idAt,
  type Payload,
  parsedJson,
  type ReportedCall,
  type ReportedMessage,
  whereIn,
  without,
} from '../form/index.ts';

/**
 * Cursor, from its documentation only: every field but the event may be missing, and
 * a result under another name is kept with the whole payload.
 */
export const payload: Payload = {
  recognises: (payload) => calls.has(eventOf(payload)) || messages.has(eventOf(payload)),
  read: (payload) => readCall(payload) ?? readMessage(payload),
};

const eventOf = (payload: JsonObject): string => stringAt(payload, 'hook_event_name') ?? '';
const messages = new Set(['beforeSubmitPrompt', 'afterAgentResponse']);
/** The events of calls, and the tools of those that name none. */
const calls = new Map([
  ['postToolUse', 'unknown'],
  ['postToolUseFailure', 'unknown'],
  ['afterMCPExecution', 'unknown'],
  ['afterShellExecution', 'Shell'],
  ['afterFileEdit', 'Edit'],
]);

function readMessage(payload: JsonObject): ReportedMessage | null {
  const event = eventOf(payload);
  if (!messages.has(event)) return null;
  const isPrompt = event === 'beforeSubmitPrompt';
  const text = stringAt(payload, isPrompt ? 'prompt' : 'text') ?? '';
  const role = isPrompt ? 'user' : 'assistant';
  // The generation is the turn.
  const turnId = idAt(payload, 'generation_id');
  return { kind: 'message', event, role, text, turnId, ...whereIn(payload), cwd: rootIn(payload) };
}

function readCall(payload: JsonObject): ReportedCall | null {
  const event = eventOf(payload);
  const unnamed = calls.get(event);
  if (unnamed === undefined) return null;
  const error = own(payload, 'error_message') ?? own(payload, 'error') ?? null;
  const where = whereIn(payload);
  return {
    kind: 'call',
    tool: stringAt(payload, 'tool_name') || unnamed,
    input: inputOf(event, payload),
    output: error === null ? (resultOf(event, payload) ?? rest(payload)) : errorText(error),
    toolUseId: idAt(payload, 'tool_use_id'),
    isError: event === 'postToolUseFailure' || error !== null,
    ...where,
    cwd: where.cwd ?? rootIn(payload),
  };
}

function rootIn(payload: JsonObject): string | null {
  const roots = own(payload, 'workspace_roots');
  const first = Array.isArray(roots) ? roots[0] : undefined;
  return typeof first === 'string' ? first : null;
}

/** Inputs and results come as JSON texts. */
function inputOf(event: string, payload: JsonObject): Json | undefined {
  if (event === 'afterShellExecution') return { command: own(payload, 'command') ?? '' };
  if (event !== 'afterFileEdit') return parsedJson(own(payload, 'tool_input'));
  return { file_path: own(payload, 'file_path') ?? '', edits: own(payload, 'edits') ?? [] };
}

function resultOf(event: string, payload: JsonObject): Json | undefined {
  const output = own(payload, 'output');
  if (event === 'afterFileEdit') return output ?? '';
  return parsedJson(own(payload, 'result_json') ?? own(payload, 'tool_output') ?? output);
}

function rest(payload: JsonObject): JsonObject {
  return without(payload, 'tool_input', 'command', 'transcript_path', 'user_email');
}
