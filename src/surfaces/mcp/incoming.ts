import { type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { isObject, type Json, type JsonObject, objectAt, own } from '#core/event';
import { mcpLineBytesMax } from '#core/limits';

/** A line of a client: a message, a line that gets this error, or one that cannot be answered. */
export type Incoming =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | { readonly kind: 'refused'; readonly reply: JsonObject }
  | { readonly kind: 'nothing' };

/** The codes of JSON-RPC 2.0, section 5.1. */
const parseError = -32700;
const invalidRequest = -32600;

export function readLine(line: string): Incoming {
  if (line.trim() === '') return { kind: 'nothing' };
  let value: Json;
  try {
    value = JSON.parse(line);
  } catch {
    // The reply does not repeat the line: it may have a secret.
    return refused(null, parseError, 'Parse error: the line is not JSON');
  }
  if (Array.isArray(value))
    return refused(null, invalidRequest, 'Batches are not supported: send one message a line');
  if (!isObject(value)) return refused(null, invalidRequest, 'Invalid request: not a JSON object');
  try {
    return { kind: 'message', message: parseJSONRPCMessage(withArguments(value)) };
  } catch {
    const id = own(value, 'id');
    const isRequest = typeof id === 'string' || typeof id === 'number';
    if (!isRequest && id !== undefined)
      return refused(null, invalidRequest, 'Invalid request: id must be a text or a number');
    return isRequest && own(value, 'method') !== undefined
      ? refused(id, invalidRequest, 'Invalid request: not a message of JSON-RPC 2.0')
      : { kind: 'nothing' };
  }
}

/** The answer to a line that is longer than `mcpLineBytesMax`: its id is not known. */
export const tooLong = refused(
  null,
  invalidRequest,
  `Invalid request: a line is at most ${mcpLineBytesMax} bytes`,
);

function refused(id: string | number | null, code: number, message: string) {
  return { kind: 'refused', reply: { jsonrpc: '2.0', id, error: { code, message } } } as const;
}

/** Arguments that are not an object become empty, so that the tool refuses them like all bad arguments. */
function withArguments(value: JsonObject): JsonObject {
  const params = own(value, 'method') === 'tools/call' ? objectAt(value, 'params') : undefined;
  if (params === undefined || isObject(own(params, 'arguments'))) return value;
  return { ...value, params: { ...params, arguments: {} } };
}
