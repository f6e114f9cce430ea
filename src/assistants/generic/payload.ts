import { isObject, type JsonObject, noteTool, own, stringAt } from '#core/event';
import {
  eventName,
  idAt,
  isOtherEventName,
  type Payload,
  type ReportedCall,
  type ReportedMessage,
  unnamed,
  whereIn,
} from '../form/index.ts';

/** The plain shape of spec 2.6 with the further fields of the contract's `capture`. */
export const payload: Payload = {
  recognises: (payload) => stringAt(payload, 'tool') !== undefined || payload.kind === 'message',
  read: (payload) => readMessage(payload) ?? readPlain(payload),
};

/** `{kind: "message", role, text, ...}` of the contract's `capture`. */
function readMessage(payload: JsonObject): ReportedMessage | null {
  const { kind, role } = payload;
  const text = stringAt(payload, 'text');
  if (kind !== 'message' || (role !== 'user' && role !== 'assistant') || text === undefined) return null;
  const [messageId, turnId, agentId] = ['messageId', 'turnId', 'agentId'].map((key) => idAt(payload, key));
  const ids = { messageId: messageId ?? null, turnId: turnId ?? null, agentId: agentId ?? null };
  if (payload.tool !== noteTool) return { kind, role, text, ...ids, ...plainWhere(payload) };
  // What an assistant claims is not pinned by itself.
  const { rule } = payload;
  const isPinned = role === 'user' && payload.pin === true;
  const note = { isPinned, ...(isPinned && isObject(rule) && { rule }) };
  const files = Array.isArray(payload.files) ? payload.files.filter((file) => typeof file === 'string') : [];
  const about = files.length === 0 ? '' : `\nFiles: ${files.join(', ')}`;
  return { kind, role, text: `${text.trim()}${about}`, note, ...ids, ...plainWhere(payload) };
}

function readPlain(payload: JsonObject): ReportedCall | null {
  const tool = stringAt(payload, 'tool');
  const [input, output] = [own(payload, 'input'), own(payload, 'output')];
  const isCall = tool && (input !== undefined || output !== undefined);
  if (!isCall || isOtherEventName(eventName(payload))) return null;
  return {
    kind: 'call',
    ...{ tool, input, output: output === undefined ? unnamed(payload, ...known) : output },
    toolUseId: idAt(payload, 'toolUseId'),
    isError: payload.isError === true,
    ...plainWhere(payload),
  };
}

const known = ['tool', 'input', 'sessionId', 'toolUseId', 'ts', 'client', 'isError', 'cwd', 'op', 'rid'];

function plainWhere(payload: JsonObject) {
  return { ...whereIn(payload), sessionId: idAt(payload, 'sessionId'), ts: own(payload, 'ts') };
}
