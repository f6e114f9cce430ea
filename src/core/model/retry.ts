import { setTimeout as pause } from 'node:timers/promises';
import { retriesMax, retryAfterMsMax } from '../limits.ts';
import { isRetryable } from './api-error.ts';
import { ask, type Question, type Reply, timedOut } from './http.ts';

const retryBaseMs = 500;

export interface RetryPolicy {
  readonly retriesMax: number;
  readonly baseMs: number;
  /** A longer `retry-after` is not waited for here. */
  readonly retryAfterMsMax: number;
}

/** A model that is asked over HTTP. */
export interface ModelAccess {
  /** The base address, e.g. `http://localhost:11434`. */
  readonly endpoint: string;
  readonly model: string;
  readonly timeoutMs?: number;
  readonly retries?: RetryPolicy;
}

export const retryPolicy: RetryPolicy = { retriesMax, baseMs: retryBaseMs, retryAfterMsMax };

/**
 * Asks, and retries after 408, 429, any 5xx or a broken connection, with exponential backoff and jitter or after the server's
 * `retry-after`. Everything, including the waits, stays within the request's `timeoutMs`. `again` sees each failed reply and may
 * forbid its retry. Returns the last reply.
 */
export async function askPatiently(
  question: Question,
  signal: AbortSignal,
  policy: RetryPolicy = retryPolicy,
  again: (failed: Reply) => boolean = () => true,
): Promise<Reply> {
  const deadline = performance.now() + question.timeoutMs;
  let reply = await ask(question, signal);
  for (let retry = 0; retry < policy.retriesMax && worthAnother(reply); retry++) {
    const waitMs = waitBefore(reply, retry, policy);
    const leftMs = Math.floor(deadline - performance.now() - waitMs);
    if (waitMs > policy.retryAfterMsMax || leftMs <= 0) return reply;
    if (!again(reply) || !(await waited(waitMs, signal))) break;
    reply = await ask({ ...question, timeoutMs: leftMs }, signal);
  }
  const late = reply.kind === 'silent' && reply.reach === 'timeout';
  return late ? timedOut(question.timeoutMs) : reply;
}

function worthAnother(reply: Reply): boolean {
  return reply.kind === 'answered' ? isRetryable(reply.status) : reply.reach === 'broken';
}

/** Between half and all of `base * 2^retry`, so that clients spread; never before `retry-after`. */
function waitBefore(reply: Reply, retry: number, policy: RetryPolicy): number {
  const backoffMs = policy.baseMs * 2 ** retry * (0.5 + Math.random() / 2);
  const askedMs = reply.kind === 'answered' ? reply.retryAfterMs : null;
  return askedMs === null ? backoffMs : Math.max(askedMs, Math.min(backoffMs, askedMs + policy.baseMs));
}

/** False when the signal ended the wait. */
async function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await pause(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
