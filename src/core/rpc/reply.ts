import { type JsonObject, parseObject } from '#core/event';

/** A line as a reply, or why it is not one. The reason quotes nothing of the line, which may not come from memd. */
export function parseReply(line: string): JsonObject | string {
  return parseObject(line) ?? 'the reply is not a JSON object';
}

export const replyTooLong = 'the reply is too long';
export const closedEarly = 'the connection was closed without a reply';
