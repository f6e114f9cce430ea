import { alertRawMaxDefault, alertRawMs } from '../../core/limits.ts';

/**
 * Sees a backlog that does not shrink: more than `alertRawMaxDefault` raw events (spec 6.4), and for `alertRawMs` no fewer
 * than there have been. Counts are told to it now and then; the times are those of a clock that only runs forward.
 */
export class Backlog {
  #lowest = 0;
  #since: number | null = null;

  /** For how long it has not shrunk, in ms; null while all is well. */
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
