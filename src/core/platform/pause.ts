import { setTimeout as timer } from 'node:timers/promises';
import { pollIntervalMs } from '../limits.ts';

/** Settles after `ms`, or when `stop` aborts. */
export async function pause(ms: number, stop?: AbortSignal): Promise<void> {
  await timer(Math.max(0, ms), undefined, stop && { signal: stop }).catch(() => {});
}

/** Settles with `work`, or after `ms` without it. */
export async function atMost(work: Promise<unknown>, ms: number): Promise<void> {
  const over = new AbortController();
  await Promise.race([work, pause(ms, over.signal)]).finally(() => over.abort());
}

/** What `look` finds, looked at again and again until it is what `isDone` wants, or the time is over. */
export async function polled<T>(
  look: () => T | Promise<T>,
  isDone: (found: T) => boolean,
  timeoutMs: number,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (isDone(found) || performance.now() >= deadline) return found;
    await timer(pollIntervalMs);
  }
}
