import { createHash } from 'node:crypto';
import { cutMark, isObject, type Json, type JsonObject, parseObject } from '#core/event';
import { flag, rowReader, text, textOrNull } from '../row.ts';
import { messageIn } from './message-columns.ts';

// Limits of a shrunk payload. In 20,772 real calls three of four arguments are shorter than `retainedTextCharsMax`.
const retainedTextCharsMax = 600;
const retainedOutputCharsMax = 256;
const retainedItemsMax = 32;
const retainedInputCharsMax = 3_000;
// A message is text that people read: more of it stays, and its end, where a reply says what came out.
const retainedMessageCharsMax = 2_000;
const retainedMessageEndChars = 600;

/** A payload and the other columns of its row, which are used if it is not JSON. */
export type PayloadRow = ReturnType<typeof readPayloadRow>;
export const readPayloadRow = rowReader({
  payloadJson: text,
  ts: text,
  sessionId: text,
  tool: text,
  toolUseId: textOrNull,
  client: text,
  isError: flag,
});

/**
 * The shrunk payload: tool, time and place of the call; the arguments, each text up to `retainedTextCharsMax` characters; a note
 * with length and `why` instead of the output. A message keeps the beginning and the end of its text. Null if the payload is short
 * already. Every note has a digest of what it replaces, so that different payloads stay different.
 */
export function shrunkPayload(row: PayloadRow, why: string): string | null {
  const payload = parsed(row);
  const { tool = row.tool, input = null, output = null, ...rest } = payload;
  const json = JSON.stringify({
    tool,
    input: shrunkInput(input),
    output: messageIn(payload) === undefined ? shrunkOutput(output, why) : shrunkMessage(output),
    ...mapped(rest, shortenedJson),
  });
  return json.length < row.payloadJson.length ? json : null;
}

/** Whether retention has shrunk a payload. */
export function isShrunkPayload(payloadJson: string): boolean {
  return payloadJson.includes(shrunkMark) || payloadJson.includes(noteMark);
}

function parsed({ payloadJson, ...row }: PayloadRow): JsonObject {
  // Not JSON (edited by SQL): the columns of the row, and the text as output.
  return parseObject(payloadJson) ?? { ...row, cwd: null, input: null, output: payloadJson };
}

/** The start of a text that replaces an output. */
const shrunkMark = '<shrunk by retention: ';

function shrunkOutput(output: Json, why: string): Json {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  if (text.length <= retainedOutputCharsMax) return output;
  return `${shrunkMark}${text.length} characters, ${why}, digest ${digest(text)}>`;
}

function shrunkMessage(text: Json): Json {
  return shortened(text, retainedMessageCharsMax, retainedMessageEndChars);
}

function shrunkInput(input: Json): Json {
  const short = shortenedJson(input);
  if (JSON.stringify(short).length <= retainedInputCharsMax) return short;
  // Many short texts, or long keys.
  return shortened(JSON.stringify(input));
}

function shortenedJson(value: Json): Json {
  if (Array.isArray(value)) {
    if (value.length <= retainedItemsMax) return value.map((item: Json) => shortenedJson(item));
    const items = value.slice(0, retainedItemsMax - 1).map((item: Json) => shortenedJson(item));
    return [...items, note(JSON.stringify(value.slice(retainedItemsMax - 1)))];
  }
  return isObject(value) ? mapped(value, shortenedJson) : shortened(value);
}

function mapped(object: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

/** The beginning of a text, a note, which uses the mark of all texts that memd cuts, and the last `endChars` characters. */
function shortened(value: Json, charsMax = retainedTextCharsMax, endChars = 0): Json {
  if (typeof value !== 'string' || value.length <= charsMax) return value;
  const from = pairStart(value, charsMax - noteCharsMax - endChars);
  const to = endChars === 0 ? value.length : pairStart(value, value.length - endChars);
  const end = endChars === 0 ? '' : `\n${value.slice(to)}`;
  return `${value.slice(0, from)}\n${note(value.slice(from, to))}${end}`;
}

/** `at`, or the position before it if a surrogate pair would be split. */
function pairStart(text: string, at: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) ? at - 1 : at;
}

/** The longest note. */
const noteCharsMax = 96;

function note(gone: string): string {
  return `[... ${gone.length}${noteMark}${digest(gone)} ...]`;
}

const noteMark = ` ${cutMark} (retention), digest `;

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
