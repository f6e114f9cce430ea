import { isObject, type JsonObject, own, stringAt } from '#core/event';
import { pingTimeoutMs } from '#core/limits';
import { errorCode, messageOf } from '#core/platform';
import { replyInTime } from '#core/rpc';

// Keeps a line below a page (4,096 bytes), however its body is escaped.
const bodyCharsMax = 1_024;
const errorCharsMax = 500;

/** One line of `health.ndjson` (spec 2.7), its fields in this order. */
export type HealthLine = {
  /** When the ping was sent. */
  readonly ts: string;
  readonly ok: boolean;
  readonly latencyMs: number;
} & (
  | { readonly ok: true /** The raw reply. */; readonly body: string }
  | { readonly ok: false /** `timeout`, `connect ENOENT`, ... */; readonly error: string }
);

/** Null if `stop` was aborted before a result. */
export async function pingForHealth(socket: string, stop: AbortSignal): Promise<HealthLine | null> {
  const ts = new Date().toISOString();
  const startedAt = performance.now();
  const latency = (): number => Math.round(performance.now() - startedAt);
  const failed = (error: string): HealthLine => ({ ts, ok: false, latencyMs: latency(), error });
  try {
    const limits = { timeoutMs: pingTimeoutMs, replyCharsMax: bodyCharsMax, stop };
    const { fields, text } = await replyInTime(socket, { op: 'ping' }, limits);
    if (fields.ok !== true) return failed(refusalOf(fields));
    return { ts, ok: true, latencyMs: latency(), body: text.trim() };
  } catch (error) {
    return stop.aborted ? null : failed(wordsFor(error));
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
