import type { Json, JsonObject } from '../event/index.ts';
import { Failure } from '../platform/index.ts';

/** Why a request was not done (CONTRACT 2). */
export type ErrorCode = 'bad_request' | 'unknown_op' | 'too_large' | 'busy' | 'unavailable' | 'internal';

const errorCodes: readonly ErrorCode[] = [
  'bad_request',
  'unknown_op',
  'too_large',
  'busy',
  'unavailable',
  'internal',
];

/** A refusal that is told to the other side in its own words. */
export function refusal(code: ErrorCode, message: string): Failure {
  return new Failure(code, message);
}

/** What is told of something thrown: an expected failure in its words, a broken invariant without its details. */
export function errorReplyOf(thrown: unknown): Reply | null {
  if (!(thrown instanceof Failure)) return null;
  const code = errorCodes.find((one) => one === thrown.code) ?? 'unavailable';
  return errorReply(code, thrown.message);
}

/** A reply on the wire: `ok` and the op's own fields, or the error. */
export type Reply = JsonObject & { readonly ok: boolean };

export function errorReply(code: ErrorCode, message: string): Reply {
  return { ok: false, error: { code, message } };
}

/** A request as it came, for an op that would rather have it read elsewhere. */
export interface RequestFrame {
  /** Shared with other requests: to be copied, not handed on. */
  readonly bytes: Uint8Array;
  /** How many values it holds, as far as commas tell. */
  readonly values: number;
}

/** What an op gets beside its request. */
export interface RequestContext {
  /** None where the frame was large, and is read elsewhere already. */
  readonly frame?: RequestFrame;
  /** Sends a line before the reply itself (progress, a live stream), in the reply's place in the order. */
  readonly interim: (fields: JsonObject) => void;
  /** Aborted when the other side is gone. */
  readonly signal: AbortSignal;
}

export type Handler = (request: JsonObject, context: RequestContext) => Promise<JsonObject>;

/** What a large frame comes to: a reply, or a request that is small enough now for the handler of all others. */
export type LargeRead = { readonly reply: JsonObject } | { readonly request: JsonObject };

/**
 * Takes a frame above `frameInlineBytesMax` as it came: to parse it here would hold up everyone else. The memory
 * behind `frame` is its own to hand on. `told` is called with the request's `rid` once it is known.
 */
export type LargeHandler = (frame: Uint8Array, told: (rid: Json) => void) => Promise<LargeRead>;

/** One line of the protocol. */
export function encodeLine(value: Json): string {
  return `${JSON.stringify(value)}\n`;
}
