import { setTimeout as pause } from 'node:timers/promises';
import { faultNumber } from '#core/platform';
import { isBusy } from '#memory/store';

// With one more wait of SQLite's this is below `startTimeoutMs`.
const startLockWaitMs = 8_000;
const startLockPollMs = 250;

/**
 * Does work that needs the database, and waits, at start, for another program that holds it locked. The time is shared by all such work.
 * `waiting` is called once, at the first wait. It throws Failure `busy` when the lock is still held at the end, and what the work throws.
 */
export function lockWait(waiting: () => void): <T>(work: () => Promise<T>) => Promise<T> {
  const deadline = performance.now() + faultNumber('start.lock', startLockWaitMs);
  let isAnnounced = false;
  return async (work) => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline) throw error;
        if (!isAnnounced) waiting();
        isAnnounced = true;
        await pause(startLockPollMs);
      }
    }
  };
}

export type LockWait = ReturnType<typeof lockWait>;
