import {
  eventName,
  type Ignored,
  idAt,
  ignored,
  isOtherEventName,
  type ReportedCall,
  stripBinary,
} from '#assistants/form';
import { assistants, clientNames } from '#assistants/table';
import { isObject, type Json, type JsonObject, own, stringAt } from '#core/event';
import { typedIn } from './noise.ts';
import { type Adapted, type Context, observed } from './observe.ts';

/** In the order of asking. */
const asking = assistants.toReversed();

/**
 * A hook's payload as an observation. The adapter is the one that `context.client` names, when the payload has
 * that client's shape, else the first that recognises the payload. An unknown payload is kept whole (client
 * `unknown`), unless it is a hook event known to hold no finished call. Never throws.
 */
export function adapt(received: Json, context: Context): Adapted {
  const payload = stripBinary(received);
  if (!isObject(payload)) return observed('unknown', unknownCall(payload), context);
  // Other clients run Claude Code's hooks too; `tool_result` is Copilot CLI's own name.
  const named = 'tool_result' in payload ? 'copilot-cli' : context.client;
  const asked = asking.filter((one) => one.name === named);
  const guessed = asking.filter((one) => one.payload?.recognises(payload));
  for (const { name: own, payload: part } of [...asked, ...guessed]) {
    const read = part?.read(payload, typedIn) ?? null;
    if (read?.kind === 'ignored') return read;
    if (read === null) continue;
    // A plain payload may name its client itself.
    const labels = own === 'generic' ? [stringAt(payload, 'client'), context.client] : [];
    const name = labels.find((label) => label !== undefined && clientNames.includes(label)) ?? own;
    return observed(name, read, context);
  }
  return otherEvent(payload) ?? observed('unknown', unknownCall(payload), context);
}

/** `payload` as an ignored one when it is known to hold no finished call, else null. */
export function otherEvent(payload: JsonObject): Ignored | null {
  const reason = reasonToIgnore(payload);
  return reason === null ? null : ignored(reason, payload);
}

function reasonToIgnore(payload: JsonObject): string | null {
  const event = eventName(payload);
  if (event === 'PostToolBatch') return 'PostToolBatch: each call has its own event';
  if (event !== undefined) return isOtherEventName(event) ? `${event} event` : null;
  return asking.map(({ payload: part }) => part?.ignores?.(payload) ?? null).find(Boolean) ?? null;
}

/** A payload of an unknown shape: whole as the output, with the names it has at the top or one level down. */
function unknownCall(payload: Json): ReportedCall {
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
