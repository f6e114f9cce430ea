import { alertRawMaxDefault, alertRawMs } from '#core/limits';

/**
 * Detects a backlog that does not shrink: more than `alertRawMaxDefault` raw events (spec 6.4), and no new minimum for `alertRawMs`.
 * Times are in ms of a monotonic clock.
 */
export class Backlog {
  #lowest = 0;
  #since: number | null = null;

  /** For how long it has not shrunk, in ms; null while it is no problem. */
  see(raw: number, nowMs: number): number | null {
    if (raw <= alertRawMaxDefault) {
      this.#since = null;
      return null;
    }
    if (this.#since === null || raw < this.#lowest) {
      this.#since = nowMs;
      this.#lowest = raw;
    }
    const forMs = nowMs - this.#since;
    return forMs >= alertRawMs ? forMs : null;
  }
}
