import * as v from 'valibot';
import { isObject, type Json, type JsonObject, objectAt, own, stringAt } from '../../core/event/index.ts';
import {
  type Ignored,
  id,
  ignored,
  json,
  name,
  type Payload,
  type ReportedCall,
  type ReportedMessage,
  shaped,
  text,
  without,
} from '../form/index.ts';

/**
 * OpenCode: the two arguments of `tool.execute.after`, and the plugin's folder where it sends it. A call
 * that throws is not reported (recorded with 1.18.33; CLIENTS.md, section 2).
 */
export const payload: Payload = {
  recognises: (payload) =>
    !('tool' in payload) && (shaped(after, payload) !== null || shaped(chat, payload) !== null),
  read: (payload) => readOpencode(payload) ?? readChat(payload),
  ignores: otherEvent,
};

const after = v.object({
  input: v.object({ tool: name, sessionID: name, callID: id, args: json }),
  output: json,
  directory: text,
  cwd: text,
  timestamp: json,
});

export function readOpencode(payload: JsonObject): ReportedCall | Ignored | null {
  const hook = shaped(after, payload);
  if (hook === null) return null;
  const output = hook.output ?? '';
  // Before the call the arguments are what the hook may still change, so they stand in `output`.
  const isBefore = hook.input.args === undefined && isObject(output) && 'args' in output;
  if (isBefore) return ignored('tool.execute.before event', payload);
  return {
    kind: 'call',
    tool: hook.input.tool,
    input: hook.input.args,
    output: withoutRepeats(output),
    sessionId: hook.input.sessionID,
    toolUseId: hook.input.callID,
    ts: hook.timestamp,
    isError: exitFailed(output),
    cwd: hook.cwd ?? hook.directory,
  };
}

const part = v.object({ type: name, text, synthetic: json, ignored: json });
const chat = v.object({
  input: v.object({ sessionID: name }),
  output: v.object({
    message: v.object({
      id: name,
      role: v.literal('user'),
      time: v.fallback(v.object({ created: json }), {}),
    }),
    parts: v.array(v.fallback(v.nullable(part), null)),
  }),
  directory: text,
});

/** `chat.message`: what the user typed, with the message's id in the database. */
function readChat(payload: JsonObject): ReportedMessage | null {
  const hook = shaped(chat, payload);
  if (hook === null) return null;
  const { message, parts } = hook.output;
  return {
    kind: 'message',
    event: 'chat.message',
    role: 'user',
    text: parts.flatMap((one) => (one === null ? [] : typedText(one))).join('\n'),
    sessionId: hook.input.sessionID,
    messageId: message.id,
    turnId: message.id,
    ts: message.time.created,
    cwd: hook.directory,
  };
}

/** A part's text, unless it is the program's own, or one that the user took back. */
export function typedText(one: {
  type: string;
  text: string | null;
  synthetic?: Json | undefined;
  ignored?: Json | undefined;
}): string[] {
  const isTyped = one.type === 'text' && one.synthetic !== true && one.ignored !== true;
  return isTyped && one.text ? [one.text] : [];
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
  if (type !== undefined && /^[a-z]+(?:\.[a-z]+)+$/.test(type) && objectAt(payload, 'properties')) {
    return type.startsWith('tool.') ? null : `${type} event`;
  }
  const input = objectAt(payload, 'input');
  const output = objectAt(payload, 'output');
  if (input !== undefined && stringAt(input, 'sessionID') !== undefined && output !== undefined) {
    if (objectAt(output, 'message') && Array.isArray(own(output, 'parts'))) return 'chat.message event';
  }
  const isInit = objectAt(payload, 'project') && stringAt(payload, 'worktree') !== undefined;
  return isInit ? 'plugin start' : null;
}
