import { isRetryable, type Reply } from '../../core/model/index.ts';
import type { BatchOutcome } from './backend.ts';

export type Outage = Extract<BatchOutcome, { kind: 'outage' }>;

/** The outage that a reply is: `words` say what an answered one means, a silent one says it itself. */
export function outageOf(reply: Reply, words: string): Outage {
  if (reply.kind === 'silent') return { kind: 'outage', error: reply.error, retryable: true };
  const retryAfter = reply.retryAfterMs === null ? {} : { retryAfterMs: reply.retryAfterMs };
  // A 200 without the API's shape is a proxy or another server in the way: that may pass.
  const retryable = reply.status === 200 || isRetryable(reply.status);
  return { kind: 'outage', error: words, retryable, ...retryAfter };
}
