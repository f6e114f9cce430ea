import { isObject, type JsonObject, own, stringAt } from '../../core/event/index.ts';
import { errorCode, messageOf } from '../../core/platform/index.ts';
import { replyInTime } from '../../core/rpc/index.ts';

const errorCharsMax = 500;

export interface ExchangeLimits {
  /** From the connection to the end of the reply. */
  readonly timeoutMs: number;
  readonly replyCharsMax: number;
  readonly stop: AbortSignal;
}

/** A reply with `"ok":true`, or why there is none (`timeout`, `connect ENOENT`, ...). */
export type Exchanged =
  | { readonly ok: true; readonly reply: JsonObject; readonly text: string }
  | { readonly ok: false; readonly error: string };

/** Sends one request to the daemon's socket. Never rejects. */
export async function exchange(
  socket: string,
  message: JsonObject,
  limits: ExchangeLimits,
): Promise<Exchanged> {
  try {
    const { fields, text } = await replyInTime(socket, message, limits);
    if (fields.ok === true) return { ok: true, reply: fields, text: text.trim() };
    return { ok: false, error: refusalOf(fields) };
  } catch (error) {
    return { ok: false, error: wordsFor(error) };
  }
}

function refusalOf(reply: JsonObject): string {
  const error = own(reply, 'error');
  const code = isObject(error) ? stringAt(error, 'code') : undefined;
  // Another program may answer: its text is not repeated.
  return code !== undefined && /^[a-z_]{1,40}$/.test(code) ? `refused: ${code}` : 'refused';
}

function wordsFor(error: unknown): string {
  const code = errorCode(error);
  if (code === 'closed') return 'closed without a reply';
  // Nothing can listen at a path that the platform cannot reach.
  if (code === 'path_too_long') return 'connect ENAMETOOLONG';
  return messageOf(error).slice(0, errorCharsMax);
}
