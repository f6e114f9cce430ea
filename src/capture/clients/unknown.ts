import { eventName, idAt, type ReportedCall } from '../../assistants/form/index.ts';
import { isObject, type Json, type JsonObject, own, stringAt } from '../../core/event/index.ts';

/** A payload of an unknown shape: whole as the output, with the names it has at the top or one level down. */
export function unknownCall(payload: Json): ReportedCall {
  const places = isObject(payload) ? [payload, ...Object.values(payload).filter(isObject)] : [];
  const event = isObject(payload) ? eventName(payload) : undefined;
  return {
    kind: 'call',
    tool: toolName(places) ?? 'unknown',
    input: {},
    output: payload,
    sessionId: first(places, sessionKeys),
    toolUseId: first(places, callKeys),
    ts: places.map((place) => own(place, 'timestamp') ?? own(place, 'ts')).find((ts) => ts !== undefined),
    isError: /fail|error/i.test(event ?? '') || places.some(saysFailed),
    cwd: first(places, ['cwd']),
  };
}

const toolKeys = ['tool_name', 'toolName', 'tool', 'agent_action_name'];
const sessionKeys = ['session_id', 'sessionId', 'sessionID', 'conversation_id', 'taskId', 'trajectory_id'];
const callKeys = ['tool_use_id', 'toolUseId', 'tool_call_id', 'toolCallId', 'call_id', 'callID'];

function toolName(places: readonly JsonObject[]): string | null {
  const named = first(places, toolKeys);
  const tool = places[0] === undefined ? undefined : own(places[0], 'tool');
  return named ?? (isObject(tool) ? (stringAt(tool, 'name') ?? null) : null);
}

function first(places: readonly JsonObject[], keys: readonly string[]): string | null {
  return places.map((place) => idAt(place, ...keys)).find((id) => id !== null) ?? null;
}

function saysFailed(place: JsonObject): boolean {
  return own(place, 'success') === false || own(place, 'isError') === true || own(place, 'is_error') === true;
}
