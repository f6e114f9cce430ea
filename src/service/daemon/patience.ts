import { setTimeout as pause } from 'node:timers/promises';
import { faultNumber } from '../../core/platform/index.ts';
import { isBusy } from '../../memory/store/index.ts';

// A start waits for another program's lock; with one more wait of SQLite's it stays below `startTimeoutMs`.
const startLockWaitMs = 8_000;
const startLockPollMs = 250;

/** The wait of a start for another program that holds the database locked: so long in all, whatever it is needed for. */
export class Patience {
  readonly #waiting: () => void;
  readonly #deadline = performance.now() + faultNumber('start.lock', startLockWaitMs);
  #isTold = false;

  /** `waiting` is called once, when there is something to wait for. */
  constructor(waiting: () => void) {
    this.#waiting = waiting;
  }

  /** @throws Failure `busy` when the lock is still there at the end; whatever else `work` throws */
  async during<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isBusy(error) || performance.now() >= this.#deadline) throw error;
        if (!this.#isTold) this.#waiting();
        this.#isTold = true;
        await pause(startLockPollMs);
      }
    }
  }
}
