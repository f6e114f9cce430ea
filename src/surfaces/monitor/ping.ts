import { pingTimeoutMs } from '../../core/limits.ts';
import { exchange } from './exchange.ts';

// A line stays below a page (4,096 bytes) however its body must be escaped.
const healthBodyCharsMax = 1_024;

/** One line of `health.ndjson` (spec 2.7), its fields in this order. */
export type HealthLine = {
  /** ISO 8601, UTC: when the ping was sent. */
  readonly ts: string;
  readonly ok: boolean;
  /** From before connecting to the reply, or to what was learnt instead. */
  readonly latencyMs: number;
} & (
  | { readonly ok: true /** The raw reply. */; readonly body: string }
  | { readonly ok: false /** `timeout`, `connect ENOENT`, ... */; readonly error: string }
);

/** Pings the daemon, waiting `pingTimeoutMs` at most. Null when `stop` came first: then nothing is known. */
export async function pingForHealth(socket: string, stop: AbortSignal): Promise<HealthLine | null> {
  const ts = new Date().toISOString();
  const startedAt = performance.now();
  const limits = { timeoutMs: pingTimeoutMs, replyCharsMax: healthBodyCharsMax, stop };
  const result = await exchange(socket, { op: 'ping' }, limits);
  const latencyMs = Math.round(performance.now() - startedAt);
  if (result.ok) return { ts, ok: true, latencyMs, body: result.text };
  return stop.aborted ? null : { ts, ok: false, latencyMs, error: result.error };
}
