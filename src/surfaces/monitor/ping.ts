import { pingTimeoutMs } from '../../core/limits.ts';
import { exchange } from './exchange.ts';

// Keeps a line below a page (4,096 bytes), however its body is escaped.
const bodyCharsMax = 1_024;

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
  const limits = { timeoutMs: pingTimeoutMs, replyCharsMax: bodyCharsMax, stop };
  const result = await exchange(socket, { op: 'ping' }, limits);
  const latencyMs = Math.round(performance.now() - startedAt);
  if (result.ok) return { ts, ok: true, latencyMs, body: result.text };
  return stop.aborted ? null : { ts, ok: false, latencyMs, error: result.error };
}
