import * as v from 'valibot';
import { parseJson } from '../../core/event/index.ts';
import { probeIntervalMs } from '../../core/limits.ts';

export const embedderGraceMs = 24 * 60 * 60_000;
export const absenceStepMs = 10 * 60_000;

/** Small things kept beside the memories, by name. */
export interface KeptSettings {
  read(name: string): string | null;
  write(name: string, value: string): void;
}

interface Absence {
  /** For how long it has been seen away in all. */
  totalMs: number;
  /** How much of that is written down. */
  writtenMs: number;
  lookedAt: number;
}

/**
 * For how long embedders have been away. What counts is time in which a process looked and saw it: a machine that slept for a
 * week tells nothing about its model. Kept beside the memories, or every restart would begin the count anew.
 */
export class Absences {
  readonly #settings: KeptSettings;
  readonly #known = new Map<string, Absence>();

  constructor(settings: KeptSettings) {
    this.#settings = settings;
  }

  /** It was looked for at `now` (milliseconds from any fixed point) and was not there. */
  missed(name: string, now: number): void {
    const absence = this.#known.get(name) ?? this.#recall(name, now);
    this.#known.set(name, absence);
    absence.totalMs += Math.min(Math.max(0, now - absence.lookedAt), 2 * probeIntervalMs);
    absence.lookedAt = now;
    if (absence.totalMs - absence.writtenMs < absenceStepMs) return;
    this.#write({ ...this.#written(), [name]: absence.totalMs });
    absence.writtenMs = absence.totalMs;
  }

  /** It was there. */
  found(name: string): void {
    this.#known.delete(name);
    const { [name]: was, ...others } = this.#written();
    if (was !== undefined) this.#write(others);
  }

  /** Whether its vectors are worth keeping: it has not been away for so long that it is given up. */
  isHopedFor(name: string): boolean {
    return (this.#known.get(name)?.totalMs ?? 0) < embedderGraceMs;
  }

  #recall(name: string, now: number): Absence {
    const writtenMs = this.#written()[name] ?? 0;
    return { totalMs: writtenMs, writtenMs, lookedAt: now };
  }

  #written(): Readonly<Record<string, number>> {
    const parsed = v.safeParse(schema, parseJson(this.#settings.read(settingName) ?? '{}'));
    // Something else put there by hand counts as nothing.
    return parsed.success ? parsed.output : {};
  }

  #write(absences: Readonly<Record<string, number>>): void {
    this.#settings.write(settingName, JSON.stringify(absences));
  }
}

const settingName = 'embedders.away';
const schema = v.record(v.string(), v.pipe(v.number(), v.minValue(0)));
