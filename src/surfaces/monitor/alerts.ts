import { alertRawMs } from '../../core/limits.ts';

const failuresMin = 3;

/** The result of a ping and, if it was answered, of `info`. */
export interface Observation {
  /** By a monotonic clock. */
  readonly atMs: number;
  /** Why the ping failed; null if it was answered. */
  readonly error: string | null;
  /** `counts.raw`; null if unknown. */
  readonly raw: number | null;
}

/** An alert that begins or ends. */
export interface AlertChange {
  readonly isOn: boolean;
  readonly text: string;
}

/**
 * The rules of spec 6.4: no answer to three pings in a row; `counts.raw` above `rawMax` for ten minutes. While `raw` is unknown,
 * the second alert neither begins nor ends.
 */
export class Alerts {
  readonly #rawMax: number;
  #failures = 0;
  #downSinceMs = 0;
  /** Since when `raw` is above the threshold; null if it is not. */
  #highSinceMs: number | null = null;
  #backlogIsOn = false;

  constructor(rawMax: number) {
    this.#rawMax = rawMax;
  }

  observe(observation: Observation): readonly AlertChange[] {
    return [...this.#observeAnswer(observation), ...this.#observeBacklog(observation)];
  }

  #observeAnswer({ atMs, error }: Observation): readonly AlertChange[] {
    const before = this.#failures;
    if (error === null) {
      this.#failures = 0;
      if (before < failuresMin) return [];
      return [{ isOn: false, text: `the daemon answers again, after ${span(atMs - this.#downSinceMs)}` }];
    }
    if (before === 0) this.#downSinceMs = atMs;
    this.#failures = before + 1;
    if (this.#failures !== failuresMin) return [];
    const isGone = /^connect (ENOENT|ECONNREFUSED)$/.test(error);
    const repair = isGone ? 'memd start' : 'memd restart';
    const text = `the daemon did not answer ${failuresMin} pings in a row (${error}). Run \`${repair}\`.`;
    return [{ isOn: true, text }];
  }

  #observeBacklog({ atMs, raw }: Observation): readonly AlertChange[] {
    if (raw === null) return [];
    const wasOn = this.#backlogIsOn;
    if (raw <= this.#rawMax) {
      this.#highSinceMs = null;
      this.#backlogIsOn = false;
      return wasOn
        ? [{ isOn: false, text: `${raw} events wait for a summary, at most ${this.#rawMax} again` }]
        : [];
    }
    this.#highSinceMs ??= atMs;
    const highMs = atMs - this.#highSinceMs;
    if (wasOn || highMs < alertRawMs) return [];
    this.#backlogIsOn = true;
    const text = `${raw} events wait for a summary, more than ${this.#rawMax} for ${span(highMs)}. Run \`memd info\`.`;
    return [{ isOn: true, text }];
  }
}

function span(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
