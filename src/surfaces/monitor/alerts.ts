import { alertRawMs } from '../../core/limits.ts';

// Alerts (spec 6.4)
const alertFailuresMin = 3;

/** What one ping, and `info` after one that was answered, has told. */
export interface Observation {
  /** Of a clock that only runs forward. */
  readonly atMs: number;
  /** Why the ping failed; null when it was answered. */
  readonly error: string | null;
  /** `counts.raw`; null when it is not known. */
  readonly raw: number | null;
}

/** An alert that begins or ends, in one line. */
export interface AlertChange {
  readonly isOn: boolean;
  readonly text: string;
}

/**
 * The rules of spec 6.4: no answer to three consecutive pings; `counts.raw` above `rawMax` for ten minutes. While the daemon does
 * not tell its counts, the second rule neither begins nor ends. Pure: the times are those of the observations.
 */
export class Alerts {
  readonly #rawMax: number;
  #failures = 0;
  /** When the first failure of this row was seen. */
  #downSinceMs = 0;
  /** When `raw` was first seen above the threshold, and has been since. */
  #highSinceMs: number | null = null;
  #backlogIsOn = false;

  constructor(rawMax: number) {
    this.#rawMax = rawMax;
  }

  look(observation: Observation): readonly AlertChange[] {
    return [...this.#lookAtAnswer(observation), ...this.#lookAtBacklog(observation)];
  }

  #lookAtAnswer({ atMs, error }: Observation): readonly AlertChange[] {
    const before = this.#failures;
    if (error === null) {
      this.#failures = 0;
      if (before < alertFailuresMin) return [];
      return [{ isOn: false, text: `the daemon answers again, after ${span(atMs - this.#downSinceMs)}` }];
    }
    if (before === 0) this.#downSinceMs = atMs;
    this.#failures = before + 1;
    if (this.#failures !== alertFailuresMin) return [];
    const isGone = /^connect (ENOENT|ECONNREFUSED)$/.test(error);
    const repair = isGone ? 'memd start' : 'memd restart';
    const text = `the daemon did not answer ${alertFailuresMin} pings in a row (${error}); run: ${repair}`;
    return [{ isOn: true, text }];
  }

  #lookAtBacklog({ atMs, raw }: Observation): readonly AlertChange[] {
    if (raw === null) return [];
    const wasOn = this.#backlogIsOn;
    if (raw <= this.#rawMax) {
      this.#highSinceMs = null;
      this.#backlogIsOn = false;
      return wasOn
        ? [{ isOn: false, text: `${raw} events wait to be summarised, no more than ${this.#rawMax}` }]
        : [];
    }
    this.#highSinceMs ??= atMs;
    const highMs = atMs - this.#highSinceMs;
    if (wasOn || highMs < alertRawMs) return [];
    this.#backlogIsOn = true;
    const text = `${raw} events wait to be summarised, more than ${this.#rawMax} for ${span(highMs)}; memd info tells why`;
    return [{ isOn: true, text }];
  }
}

function span(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
