import { createHash } from 'node:crypto';
import type { ToolEvent } from '#core/event';
import { eventOfRecord } from './event-schema.ts';

const open = '{"sum":"';
const middle = '","event":';
const sumChars = 12;
const eventAt = open.length + sumChars + middle.length;

/** One event as a log line: JSON, with a checksum over the event's own text, and a closing newline. */
export function encodeRecord(event: ToolEvent): string {
  const text = JSON.stringify(event);
  return `${open}${checksum(text)}${middle}${text}}\n`;
}

export type Decoded = { readonly event: ToolEvent } | { readonly error: string };

/** The event of one log line (without its newline), or why it cannot be used. */
export function decodeRecord(line: string): Decoded {
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch (error) {
    return { error: String(error) };
  }
  // A changed byte can leave valid JSON; only the checksum shows it.
  const sum = line.slice(open.length, open.length + sumChars);
  if (!line.startsWith(open) || checksum(line.slice(eventAt, -1)) !== sum)
    return { error: 'ChecksumError: the line is not as it was written' };
  const event = eventOfRecord(record);
  return event === null ? { error: 'ShapeError: the line holds no event of this version' } : { event };
}

/** 48 bits of SHA-256: against damage, not against an attacker. */
function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, sumChars);
}
