import { setTimeout as pause } from 'node:timers/promises';
import { faultNumber } from '../../core/platform/index.ts';
import { isBusy } from '../../memory/store/index.ts';

// With one more wait of SQLite's this is below `startTimeoutMs`.
const startLockWaitMs = 8_000;
const startLockPollMs = 250;

/** Waits, at start, for another program that holds the database locked. The time is shared by all that needs the database. */
export class LockWait {
  readonly #waiting: () => void;
  readonly #deadline = performance.now() + faultNumber('start.lock', startLockWaitMs);
  #isAnnounced = false;

  /** `waiting` is called once, at the first wait. */
  constructor(waiting: () => void) {
    this.#waiting = waiting;
  }

  /** @throws Failure `busy` when the lock is still held at the end; anything else that `work` throws */
  async during<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isBusy(error) || performance.now() >= this.#deadline) throw error;
        if (!this.#isAnnounced) this.#waiting();
        this.#isAnnounced = true;
        await pause(startLockPollMs);
      }
    }
  }
}
