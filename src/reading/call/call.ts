import { isObject, type Json, type JsonObject, own, type Payload, parseObject } from '#core/event';
import { builtinDepthMax } from '#core/limits';
import { once } from './once.ts';
import { parsePayload } from './payload.ts';
import { type Result, resultOf } from './result.ts';

/** A tool call with the same names and shapes for every assistant. */
export interface Call {
  /** As the client names it. */
  readonly tool: string;
  readonly cwd: string | null;
  /** Where a command of it ran, when `cwd` is the first folder of its session. */
  readonly ranIn?: string;
  /** Arguments by name. A bare text is stored as `input`. */
  readonly input: JsonObject;
  readonly output: Json;
  readonly result: Result;
}

/** The call of a payload. What is parsed of a call is kept with it, so all readers share one. */
export const readCall = once((payload: Payload): Call => {
  const tool = own(payload, 'tool');
  const cwd = own(payload, 'cwd');
  const output = own(payload, 'output') ?? null;
  const input = argumentsOf(own(payload, 'input') ?? null);
  return {
    tool: typeof tool === 'string' && tool.trim() !== '' ? tool.trim() : 'unknown tool',
    cwd: typeof cwd === 'string' && cwd !== '' ? cwd : null,
    input,
    output,
    result: resultOf(input, { ...payload, output, isError: own(payload, 'isError') === true }),
  };
});

/** The call with the first folder of its session, so that a file has one name in all folders. */
export function fromRoot(call: Call, root: string | null): Call {
  return root !== null && call.cwd?.startsWith(`${root}/`) === true
    ? { ...call, cwd: root, ranIn: call.cwd }
    : call;
}

/** The call in a stored payload; null when it cannot be read. */
export function readStored(payloadJson: string): Call | null {
  const parsed = parsePayload(payloadJson);
  return 'payload' in parsed ? readCall(parsed.payload) : null;
}

/** The arguments that name a file, whatever the tool. */
export const pathArguments: readonly string[] =
  'file_path filePath path absolute_path notebook_path target_file file filename'.split(' ');

/** The first non-empty text among the arguments of these names. */
export function argument(call: Call, ...names: string[]): string {
  return textAt(call.input, ...names);
}

/** The first non-empty text at one of these keys; a number counts as its digits. */
export function textAt(object: JsonObject, ...keys: string[]): string {
  for (const key of keys) {
    const value = own(object, key);
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return '';
}

export function numberAt(object: JsonObject, ...keys: string[]): number | null {
  for (const key of keys) {
    const value = own(object, key);
    if (typeof value === 'number' && Number.isFinite(value)) return value;
  }
  return null;
}

/** The objects of the first list found at one of these keys. */
export function objectsAt(object: JsonObject, ...keys: string[]): readonly JsonObject[] {
  for (const key of keys) {
    const value = own(object, key);
    if (Array.isArray(value)) return value.filter((item: Json) => isObject(item));
  }
  return [];
}

/** The command line of a call, or an empty text. Some clients send a list, mostly `["bash", "-lc", script]`. */
export function commandText(call: Call): string {
  const text = argument(call, 'command', 'cmd', 'script', 'code', 'input');
  if (text !== '') return text;
  const list = ['command', 'cmd', 'script'].map((name) => own(call.input, name)).find(Array.isArray);
  const words: readonly string[] = (list ?? []).filter((item: Json) => typeof item === 'string');
  const script = /^-l?c$/.test(words[1] ?? '') ? words[2] : undefined;
  return script ?? words.join(' ');
}

/** Every text in a value, in order, with its key, down to a bounded depth. */
export function textsIn(value: Json, depth = 0, key = ''): readonly { key: string; text: string }[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [{ key, text: value }];
  if (typeof value === 'number') return [{ key, text: String(value) }];
  if (depth >= builtinDepthMax) return [];
  if (Array.isArray(value)) return value.flatMap((item: Json) => textsIn(item, depth + 1, key));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => textsIn(item, depth + 1, name));
}

/** Some clients send the arguments as JSON text, and a patch or a query as bare text. */
function argumentsOf(input: Json): JsonObject {
  if (isObject(input)) return input;
  if (typeof input !== 'string') return { input };
  return parseObject(input) ?? { input };
}
