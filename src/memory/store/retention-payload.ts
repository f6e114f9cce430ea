import { createHash } from 'node:crypto';
import { cutMark, isObject, type Json, type JsonObject } from '../../core/event/index.ts';

// What is left of a payload. Of 20,772 real calls three arguments of four are shorter than this.
const retainedTextCharsMax = 600;
const retainedOutputCharsMax = 256;
const retainedItemsMax = 32;
const retainedInputCharsMax = 3_000;

/** What stands beside a payload in its row, for one that cannot be read. */
export interface PayloadRow {
  readonly payloadJson: string;
  readonly ts: string;
  readonly sessionId: string;
  readonly tool: string;
  readonly toolUseId: string | null;
  readonly client: string;
  readonly isError: boolean;
}

/**
 * What stays of a payload: who called what, when and where; the arguments, each text up to `retainedTextCharsMax` characters;
 * in place of the output a note of its length and of `why`. Null when it is short already. What was equal stays equal, what
 * was not does not become so: every note has a digest of what it stands for.
 */
export function shrunkPayload(row: PayloadRow, why: string): string | null {
  const payload = parsed(row);
  const { tool = row.tool, input = null, output = null, ...rest } = payload;
  const json = JSON.stringify({
    tool,
    input: shrunkInput(input),
    output: shrunkOutput(output, why),
    ...mapped(rest, shortenedJson),
  });
  return json.length < row.payloadJson.length ? json : null;
}

/** Whether a payload says of itself that retention has taken a part of it. */
export function isShrunkPayload(payloadJson: string): boolean {
  return payloadJson.includes(shrunkMark) || payloadJson.includes(noteMark);
}

function parsed({ payloadJson, ...row }: PayloadRow): JsonObject {
  try {
    const payload: Json = JSON.parse(payloadJson);
    if (isObject(payload)) return payload;
  } catch {
    // Torn by somebody's SQL: the row's own columns, and its text as what came back.
  }
  return { ...row, cwd: null, input: null, output: payloadJson };
}

/** Begins a text that stands for an output that retention has taken. */
const shrunkMark = '<shrunk by retention: ';

function shrunkOutput(output: Json, why: string): Json {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  if (text.length <= retainedOutputCharsMax) return output;
  return `${shrunkMark}${text.length} characters, ${why}, digest ${digest(text)}>`;
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

/** The beginning, which says what it was. The words of the note are those of any text that memd has cut; it counts. */
function shortened(value: Json): Json {
  if (typeof value !== 'string' || value.length <= retainedTextCharsMax) return value;
  const room = retainedTextCharsMax - noteCharsMax;
  // Half a surrogate pair is no text.
  const end = /[\uD800-\uDBFF]/.test(value.charAt(room - 1)) ? room - 1 : room;
  return `${value.slice(0, end)}\n${note(value.slice(end))}`;
}

/** With a number as long as a string's length can be. */
const noteCharsMax = 96;

function note(gone: string): string {
  return `[... ${gone.length}${noteMark}${digest(gone)} ...]`;
}

const noteMark = ` ${cutMark} (retention), digest `;

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
