import { isObject, type Json, type JsonObject, own, stringAt } from '#core/event';
import { frameInlineBytesMax, largeFieldValuesMax, largeRidCharsMax } from '#core/limits';
import { Failure } from '#core/platform';
import { parseRequest } from '#core/rpc';
import { prepare } from './prepare.ts';
import { type ReadCapture, readCapture } from './read-capture.ts';

/** A capture, or the request of another op made small. */
export type ReadFrame = ReadCapture | { readonly kind: 'request'; readonly request: JsonObject };

/**
 * Reads a large frame's bytes; `onRid` gets its `rid`. A request of another op than `capture` keeps only the known `fields`,
 * each cut to what a small frame could hold.
 * @throws Failure `bad_request`, `too_large`
 */
export function readFrame(
  frame: Uint8Array,
  fields: readonly string[],
  onRid: (rid: Json) => void,
): ReadFrame {
  const request = parseRequest(Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength));
  if (request.rid !== undefined) {
    if (JSON.stringify(request.rid).length > largeRidCharsMax)
      throw new Failure('too_large', `rid may have at most ${largeRidCharsMax} characters here`);
    onRid(request.rid);
  }
  if (request.op === 'capture') return readCapture(request);
  const known = request.op === 'recall' ? { ...request, ...preparedCall(request) } : request;
  return { kind: 'request', request: keepFields(known, ['op', ...fields]) };
}

function keepFields(request: JsonObject, fields: readonly string[]): JsonObject {
  const kept = fields.flatMap((field): [string, Json][] => {
    const value = own(request, field);
    if (value === undefined) return [];
    return [[field, fitting(value, { chars: frameInlineBytesMax, values: largeFieldValuesMax })]];
  });
  return Object.fromEntries(kept);
}

/** The beginning of a value that fits into `room`. */
function fitting(value: Json, room: { chars: number; values: number }): Json {
  room.values -= 1;
  if (typeof value === 'string') {
    const text = value.slice(0, room.chars);
    room.chars -= text.length;
    return text;
  }
  if (Array.isArray(value)) {
    const kept: Json[] = [];
    for (const one of value) {
      if (room.values <= 0) break;
      kept.push(fitting(one, room));
    }
    return kept;
  }
  if (!isObject(value)) return value;
  const kept: [string, Json][] = [];
  for (const [name, one] of Object.entries(value)) {
    room.chars -= name.length;
    if (room.values <= 0 || room.chars < 0) break;
    kept.push([name, fitting(one, room)]);
  }
  return Object.fromEntries(kept);
}

/** The call in a recall request, redacted and cut like a captured one; empty when there is none. */
function preparedCall(request: JsonObject): JsonObject {
  const tool = stringAt(request, 'tool');
  if (tool === undefined) return {};
  const { event } = prepare({
    tool,
    input: own(request, 'input') ?? null,
    output: own(request, 'output') ?? '',
    sessionId: stringAt(request, 'sessionId') ?? '',
    toolUseId: null,
    ts: new Date().toISOString(),
    client: 'unknown',
    isError: false,
    cwd: stringAt(request, 'cwd') ?? null,
  });
  const { input, output } = event;
  // The op refuses values that are not texts.
  const texts = {
    tool: event.tool,
    sessionId: event.sessionId,
    ...(event.cwd === null ? {} : { cwd: event.cwd }),
  };
  const given = Object.entries(texts).filter(([name]) => stringAt(request, name) !== undefined);
  return { input, output, ...Object.fromEntries(given) };
}
