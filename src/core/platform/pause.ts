import { setTimeout as timer } from 'node:timers/promises';

/** Settles after `ms`, or when `stop` aborts. */
export async function pause(ms: number, stop?: AbortSignal): Promise<void> {
  await timer(Math.max(0, ms), undefined, stop && { signal: stop }).catch(() => {});
}

/** Settles with `work`, or after `ms` without it. */
export async function atMost(work: Promise<unknown>, ms: number): Promise<void> {
  const over = new AbortController();
  await Promise.race([work, pause(ms, over.signal)]).finally(() => over.abort());
}
