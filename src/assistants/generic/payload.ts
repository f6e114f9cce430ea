import * as v from 'valibot';
import { type Json, type JsonObject, stringAt } from '../../core/event/index.ts';
import {
  eventName,
  id,
  isOtherEventName,
  json,
  name,
  type Payload,
  type ReportedCall,
  type ReportedMessage,
  shaped,
  text,
  without,
} from '../form/index.ts';

/** The plain shape of spec 2.6 with the further fields of the contract's `capture`. */
export const payload: Payload = {
  recognises: (payload) => stringAt(payload, 'tool') !== undefined || payload.kind === 'message',
  read: (payload) => readMessage(payload) ?? readPlain(payload),
};

const plain = v.object({
  tool: name,
  input: json,
  output: json,
  sessionId: id,
  toolUseId: id,
  ts: json,
  isError: v.fallback(v.boolean(), false),
  cwd: text,
});

const plainMessage = v.object({
  kind: v.literal('message'),
  role: v.picklist(['user', 'assistant']),
  text: v.string(),
  sessionId: id,
  messageId: id,
  turnId: id,
  agentId: id,
  ts: json,
  cwd: text,
});

/** `{kind: "message", role, text, ...}` of the contract's `capture`. */
function readMessage(payload: JsonObject): ReportedMessage | null {
  const message = shaped(plainMessage, payload);
  return message === null ? null : { ...message, ts: message.ts };
}

function readPlain(payload: JsonObject): ReportedCall | null {
  if (isOtherEventName(eventName(payload))) return null;
  const call = shaped(plain, payload);
  if (call === null || (call.input === undefined && call.output === undefined)) return null;
  const output = call.output === undefined ? rest(payload) : call.output;
  return { kind: 'call', ...call, input: call.input, ts: call.ts, output };
}

/** A result under another name is kept with all unknown fields. */
function rest(payload: JsonObject): Json {
  const known = ['tool', 'input', 'sessionId', 'toolUseId', 'ts', 'client', 'isError', 'cwd', 'op', 'rid'];
  const unknown = without(payload, ...known);
  return Object.keys(unknown).length === 0 ? '' : unknown;
}
