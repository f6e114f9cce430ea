import { type JsonObject, parseObject } from '../event/index.ts';

/** A line as a reply; else why it is not one, in words that quote nothing of it: whatever listens there is not memd. */
export function parseReply(line: string): JsonObject | string {
  return parseObject(line) ?? 'the reply is not a JSON object';
}

export const replyTooLong = 'the reply is too long';
export const closedEarly = 'the connection was closed without a reply';
