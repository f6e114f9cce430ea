import {
  isMessageTool,
  type JsonObject,
  type MessageFields,
  messageTools,
  noteTool,
  objectAt,
  parseObject,
  stringAt,
} from '#core/event';

/** The message fields of a payload; undefined for a call. */
export function messageIn(payload: JsonObject): MessageFields | undefined {
  const message = objectAt(payload, 'message');
  const role = message === undefined ? undefined : stringAt(message, 'role');
  if (message === undefined || (role !== 'user' && role !== 'assistant')) return undefined;
  if (!isMessageTool(payload.tool, role)) return undefined;
  return { role, turnId: stringAt(message, 'turnId') ?? null, agentId: stringAt(message, 'agentId') ?? null };
}

/** `events.kind`, `role` and `turn_id` for stored payloads. */
export function messageColumns(
  tool: string,
  payloadJson: string,
): readonly [string, string | null, string | null] {
  const mayBe = isMessageTool(tool, 'user') || isMessageTool(tool, 'assistant');
  const message = mayBe ? messageIn(parseObject(payloadJson) ?? {}) : undefined;
  return message === undefined ? ['call', null, null] : ['message', message.role, message.turnId];
}

/** The tools of messages, as an SQL list: also a copy of an older schema, which has no `kind`, is read by them. */
export const messageToolNames = `'${messageTools.user}', '${messageTools.assistant}', '${noteTool}'`;
