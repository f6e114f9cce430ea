import * as v from 'valibot';
import { probeIntervalMs } from '#core/limits';
import { type KeptSettings, keptRecord } from './kept-settings.ts';

export const embedderGraceMs = 24 * 60 * 60_000;
export const absenceStepMs = 10 * 60_000;

/**
 * How long an embedder has been away. Only time counts in which a process looked for it: a machine that slept for a week
 * says nothing about its model. Stored in steps of `absenceStepMs`, so that a restart does not reset it.
 */
export class Absence {
  readonly #name: string;
  readonly #kept: ReturnType<typeof keptRecord<number>>;
  /** Null while the embedder was not missed since it was last found. */
  #missed: { totalMs: number; writtenMs: number; lookedAt: number } | null = null;

  constructor(settings: KeptSettings, name: string) {
    this.#name = name;
    this.#kept = keptRecord(settings, 'embedders.away', v.pipe(v.number(), v.minValue(0)));
  }

  /** A look at `now` (milliseconds from any fixed point) did not find it. */
  missed(now: number): void {
    const writtenMs = this.#kept.read()[this.#name] ?? 0;
    this.#missed ??= { totalMs: writtenMs, writtenMs, lookedAt: now };
    const absence = this.#missed;
    absence.totalMs += Math.min(Math.max(0, now - absence.lookedAt), 2 * probeIntervalMs);
    absence.lookedAt = now;
    if (absence.totalMs - absence.writtenMs < absenceStepMs) return;
    this.#kept.write({ ...this.#kept.read(), [this.#name]: absence.totalMs });
    absence.writtenMs = absence.totalMs;
  }

  found(): void {
    this.#missed = null;
    const { [this.#name]: was, ...others } = this.#kept.read();
    if (was !== undefined) this.#kept.write(others);
  }

  /** Whether its vectors are still worth keeping. */
  isShort(): boolean {
    return (this.#missed?.totalMs ?? 0) < embedderGraceMs;
  }
}
