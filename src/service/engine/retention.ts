import type { Config } from '#core/config';
import { retentionRestShare } from '#core/limits';
import { faultNumber, pause } from '#core/platform';
import type { StepCursor, Store } from '#memory/store';

const retentionRestMs = 50;
// Shrinks to this share of the limit, so that the next capture does not start it again.
const retentionLowShare = 0.9;
// Pages are freed from this number on, down to `vacuumKeptPages`, which the next captures use.
const vacuumFreePagesMin = 1_024;
const vacuumFreeShareMin = 0.05;
const vacuumKeptPages = 256;
const vacuumStepPages = 64;
const vacuumBytesPerSecondMax = 4 * 1024 * 1024;

export interface Retained {
  /** Payloads that were shrunk, and by how many characters. */
  readonly shrunk: number;
  readonly chars: number;
  /** Pages that were given back to the file system. */
  readonly pagesFreed: number;
  readonly usedMiB: number;
  /** The database is over its limit, and no payload is left to shrink. */
  readonly isOver: boolean;
}

export interface RetentionOptions {
  readonly store: Pick<Store, 'retention'>;
  readonly config: Pick<Config, 'retention.payloadDays' | 'retention.databaseMiB'>;
  readonly signal: AbortSignal;
}

/**
 * Shrinks payloads that are too old, then the oldest ones while the database is too large, then frees space. Works in small steps with
 * pauses, so that other work waits for one step at most, and can stop after any step.
 */
export class Retention {
  readonly #options: RetentionOptions;
  #running: Promise<Retained> | null = null;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** One run at a time: a call during a run gets its result. */
  run(): Promise<Retained> {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Settles when no run is active; a run ends soon after its signal is aborted. */
  async settled(): Promise<void> {
    await this.#running?.catch(() => {
      // The caller of that run gets the error.
    });
  }

  async #run(): Promise<Retained> {
    const old = await this.#shrinkOld();
    const large = await this.#shrinkToFit();
    const pagesFreed = await this.#giveBack();
    const { usedBytes } = this.#table.size();
    return {
      shrunk: old.shrunk + large.shrunk,
      chars: old.chars + large.chars,
      pagesFreed,
      usedMiB: Math.round((usedBytes / mib) * 10) / 10,
      isOver: usedBytes > this.#bytesMax,
    };
  }

  /**
   * Age counts from the clock, or from the newest memory if that is earlier: a clock that is set ahead must not cost all payloads.
   */
  #shrinkOld(): Promise<Shrunk> {
    const days = this.#options.config['retention.payloadDays'];
    const newest = Date.parse(this.#table.newest() ?? '');
    if (Number.isNaN(newest)) return Promise.resolve({ shrunk: 0, chars: 0 });
    const before = new Date(Math.min(Date.now(), newest) - days * 86_400_000).toISOString();
    return this.#shrink(before, `older than ${days} days (retention.payloadDays)`, () => true);
  }

  async #shrinkToFit(): Promise<Shrunk> {
    if (this.#table.size().usedBytes <= this.#bytesMax) return { shrunk: 0, chars: 0 };
    const low = this.#bytesMax * retentionLowShare;
    const why = `the database was over ${this.#options.config['retention.databaseMiB']} MiB (retention.databaseMiB)`;
    return this.#shrink(null, why, () => this.#table.size().usedBytes > low);
  }

  async #shrink(before: string | null, why: string, goesOn: () => boolean): Promise<Shrunk> {
    let [shrunk, chars] = [0, 0];
    for (let after: StepCursor | null = null; this.#goesOn && goesOn(); ) {
      const began = performance.now();
      const step = this.#table.shrink(after, before, why);
      shrunk += step.shrunk;
      chars += step.chars;
      if (step.next === null) break;
      after = step.next;
      await this.#rest(began, 0);
    }
    return { shrunk, chars };
  }

  /** Returns the number of freed pages. A few free pages stay for the next captures. */
  async #giveBack(): Promise<number> {
    const { freePages, pages } = this.#table.size();
    const few = faultNumber('retention.free', vacuumFreePagesMin);
    const most = Math.max(few, pages * vacuumFreeShareMin);
    if (freePages <= most || !this.#table.isIncremental()) return 0;
    let left = freePages;
    while (left > vacuumKeptPages && this.#goesOn) {
      const began = performance.now();
      const now = this.#table.giveBack(vacuumStepPages);
      // No progress: another process has the database, and the next run continues.
      if (now >= left) break;
      left = now;
      await this.#rest(began, vacuumStepPages * pageBytes);
    }
    return freePages - left;
  }

  /** Leaves thread and disk to other work; longer after `bytes` of writing. */
  #rest(began: number, bytes: number): Promise<void> {
    const took = performance.now() - began;
    const disk = (bytes / vacuumBytesPerSecondMax) * 1_000;
    return pause(Math.max(retentionRestMs, took * retentionRestShare, disk), this.#options.signal);
  }

  get #table(): Store['retention'] {
    return this.#options.store.retention;
  }

  get #goesOn(): boolean {
    return !this.#options.signal.aborted;
  }

  get #bytesMax(): number {
    return this.#options.config['retention.databaseMiB'] * mib;
  }
}

type Shrunk = Pick<Retained, 'shrunk' | 'chars'>;

const mib = 1024 * 1024;
/** SQLite's own (https://www.sqlite.org/pgszchng2016.html); an estimate is enough here. */
const pageBytes = 4_096;
