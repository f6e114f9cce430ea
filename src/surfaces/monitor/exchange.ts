import { isObject, type JsonObject, own, stringAt } from '../../core/event/index.ts';
import { errorCode, messageOf } from '../../core/platform/index.ts';
import { replyInTime } from '../../core/rpc/index.ts';

const healthErrorCharsMax = 500;

export interface ExchangeLimits {
  /** For all of it, from the first step to the last byte of the reply. */
  readonly timeoutMs: number;
  readonly replyCharsMax: number;
  readonly stop: AbortSignal;
}

/** A reply with `"ok":true`, also as it came; or why there is none, in a few words (`timeout`, `connect ENOENT`, ...). */
export type Exchanged =
  | { readonly ok: true; readonly reply: JsonObject; readonly text: string }
  | { readonly ok: false; readonly error: string };

/** One request and one reply over the daemon's socket. Never rejects. */
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
  // Who answers need not be memd: its words are not passed on.
  return code !== undefined && /^[a-z_]{1,40}$/.test(code) ? `refused: ${code}` : 'refused';
}

function wordsFor(error: unknown): string {
  const code = errorCode(error);
  if (code === 'closed') return 'closed without a reply';
  // A path that the platform cannot reach has no socket at its end either.
  if (code === 'path_too_long') return 'connect ENAMETOOLONG';
  return messageOf(error).slice(0, healthErrorCharsMax);
}
