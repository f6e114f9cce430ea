import { isObject, type Json, type JsonObject, objectAt, own, stringAt } from '#core/event';
import type { Payload } from '../assistant.ts';
import { idAt, without } from '../fields.ts';
import { ignored } from '../other-events.ts';
import type { Ignored, ReportedCall, ReportedMessage } from '../reported.ts';

/**
 * OpenCode and Kilo: the two arguments of `tool.execute.after`, and the plugin's folder where it sends it. A call
 * that throws is not reported (recorded with 1.18.33).
 */
export const opencodePayload: Payload = {
  recognises: (payload) =>
    !('tool' in payload) && (readOpencode(payload) !== null || readChat(payload) !== null),
  read: (payload) => readOpencode(payload) ?? readChat(payload),
  ignores: otherEvent,
};

export function readOpencode(payload: JsonObject): ReportedCall | Ignored | null {
  const input = objectAt(payload, 'input') ?? {};
  const [tool, sessionId] = [stringAt(input, 'tool'), stringAt(input, 'sessionID')];
  if (!tool || !sessionId) return null;
  const output = own(payload, 'output') ?? '';
  const args = own(input, 'args');
  // Before the call the arguments are what the hook may still change, so they stand in `output`.
  const isBefore = args === undefined && isObject(output) && 'args' in output;
  if (isBefore) return ignored('tool.execute.before event', payload);
  return {
    ...{ kind: 'call', tool, input: args, output: withoutRepeats(output), sessionId },
    toolUseId: idAt(input, 'callID'),
    ts: own(payload, 'timestamp'),
    isError: exitFailed(output),
    cwd: stringAt(payload, 'cwd') ?? stringAt(payload, 'directory') ?? null,
  };
}

/** `chat.message`: what the user typed, with the message's id in the database. */
function readChat(payload: JsonObject): ReportedMessage | null {
  const sessionId = stringAt(objectAt(payload, 'input') ?? {}, 'sessionID');
  const output = objectAt(payload, 'output') ?? {};
  const message = objectAt(output, 'message') ?? {};
  const [id, parts] = [stringAt(message, 'id'), own(output, 'parts')];
  if (!sessionId || !id || message.role !== 'user' || !Array.isArray(parts)) return null;
  const text = parts.flatMap((one: Json) => (isObject(one) ? typedText(one) : [])).join('\n');
  return {
    ...{ kind: 'message', event: 'chat.message', role: 'user', text, sessionId },
    messageId: id,
    turnId: id,
    ts: own(objectAt(message, 'time') ?? {}, 'created'),
    cwd: stringAt(payload, 'directory') ?? null,
  };
}

/** A part's text, unless it is the program's own, or one that the user took back. */
export function typedText(part: JsonObject): string[] {
  const isTyped = part.type === 'text' && part.synthetic !== true && part.ignored !== true;
  const text = isTyped ? stringAt(part, 'text') : '';
  return text ? [text] : [];
}

function exitFailed(output: Json): boolean {
  const exit = isObject(output) ? objectAt(output, 'metadata')?.exit : undefined;
  return typeof exit === 'number' && exit !== 0;
}

/** `metadata` says again, for the eye, what `output` says, and a file's change twice or with the whole file. */
function withoutRepeats(output: Json): Json {
  if (!isObject(output)) return output;
  const metadata = objectAt(output, 'metadata');
  if (metadata === undefined) return output;
  const said = own(output, 'output');
  const repeats = ['output', 'preview'].filter((key) => isIn(own(metadata, key), said));
  let kept = without(metadata, ...repeats);
  const filediff = objectAt(kept, 'filediff');
  if (filediff !== undefined) {
    const patch = own(filediff, 'patch') === own(kept, 'diff') ? ['patch'] : [];
    kept = { ...kept, filediff: without(filediff, 'before', 'after', ...patch) };
  }
  const display = objectAt(kept, 'display');
  // A file's lines stand numbered in `output`, so that the text is not literally in it.
  if (display !== undefined && typeof said === 'string')
    kept = { ...kept, display: without(display, 'text') };
  return { ...output, metadata: kept };
}

function isIn(part: Json | undefined, whole: Json | undefined): boolean {
  return typeof part === 'string' && typeof whole === 'string' && whole.includes(part);
}

/** OpenCode's bus events `{id, type, properties}`, its chat messages, and the arguments a plugin starts with. */
function otherEvent(payload: JsonObject): string | null {
  const type = stringAt(payload, 'type');
  if (type !== undefined && /^[a-z]+(?:\.[a-z]+)+$/.test(type) && objectAt(payload, 'properties'))
    return type.startsWith('tool.') ? null : `${type} event`;
  const input = objectAt(payload, 'input');
  const output = objectAt(payload, 'output');
  if (input !== undefined && stringAt(input, 'sessionID') !== undefined && output !== undefined) {
    if (objectAt(output, 'message') && Array.isArray(own(output, 'parts'))) return 'chat.message event';
  }
  const isInit = objectAt(payload, 'project') && stringAt(payload, 'worktree') !== undefined;
  return isInit ? 'plugin start' : null;
}
