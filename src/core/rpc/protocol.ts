import type { Json, JsonObject } from '#core/event';
import { Failure } from '#core/platform';

/** Why a request failed. */
const errorCodes = ['bad_request', 'unknown_op', 'too_large', 'busy', 'unavailable', 'internal'] as const;
export type ErrorCode = (typeof errorCodes)[number];

export function refusal(code: ErrorCode, message: string): Failure {
  return new Failure(code, message);
}

/** The reply for something thrown: a Failure with its message; null for a broken invariant, whose details stay in the log. */
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

/** A request's bytes, for an op that has them read in another thread. */
export interface RequestFrame {
  /** Shared with other requests: copy before passing on. */
  readonly bytes: Uint8Array;
  /** The number of values, estimated by commas. */
  readonly values: number;
}

export interface RequestContext {
  /** Missing when the frame was large and is read already. */
  readonly frame?: RequestFrame;
  /** Sends a line before the reply itself (progress, a live stream), in the reply's place in the order. */
  readonly interim: (fields: JsonObject) => void;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

export type Handler = (request: JsonObject, context: RequestContext) => Promise<JsonObject>;

/** The outcome of a large frame: a reply, or a request that is now small enough for the normal handler. */
export type LargeRead = { readonly reply: JsonObject } | { readonly request: JsonObject };

/**
 * Takes the bytes of a frame above `frameInlineBytesMax`: parsing it here would delay all clients. It owns the memory of `frame`, and
 * calls `onRid` with the request's `rid`.
 */
export type LargeHandler = (frame: Uint8Array, onRid: (rid: Json) => void) => Promise<LargeRead>;

/** One line of the protocol. */
export function encodeLine(value: Json): string {
  return `${JSON.stringify(value)}\n`;
}
