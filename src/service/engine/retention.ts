import type { Config } from '../../core/config/index.ts';
import { retentionRestShare } from '../../core/limits.ts';
import { faultNumber, pause } from '../../core/platform/index.ts';
import type { RetentionCursor, Store } from '../../memory/store/index.ts';

const retentionRestMs = 50;
// Over the limit, it shrinks down to this share of it, so that the next capture does not begin it anew.
const retentionLowShare = 0.9;
// Giving space back: from so many free pages on, down to so many, which the next captures use.
const vacuumFreePagesMin = 1_024;
const vacuumFreeShareMin = 0.05;
const vacuumKeptPages = 256;
const vacuumStepPages = 64;
const vacuumBytesPerSecondMax = 4 * 1024 * 1024;

/** What one run of retention has done, and how it leaves the database. */
export interface Retained {
  /** Payloads that were shrunk, and by how many characters. */
  readonly shrunk: number;
  readonly chars: number;
  /** Pages that were given back to the file system. */
  readonly pagesFreed: number;
  readonly usedMiB: number;
  /** The database is larger than it may be, and no payload is left that could shrink. */
  readonly isOver: boolean;
}

export interface RetentionOptions {
  readonly store: Pick<Store, 'retention'>;
  readonly config: Pick<Config, 'retention.payloadDays' | 'retention.databaseMiB'>;
  readonly signal: AbortSignal;
}

/**
 * Shrinks the payloads that are too old, then the oldest ones while the database is too large, then gives the space back. Step by
 * step with rests between, so that nobody waits for more than a step; can be stopped and begun anew at any of them.
 */
export class Retention {
  readonly #options: RetentionOptions;
  #running: Promise<Retained> | null = null;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** One run at a time: who asks during one gets that one's answer. */
  run(): Promise<Retained> {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Settles when none is under way; each ends soon after its signal is aborted. */
  async settled(): Promise<void> {
    await this.#running?.catch(() => {
      // Told to whoever asked for that run.
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
   * By the clock, or by the newest memory if that is behind it: a clock that is set ahead by mistake must not cost all payloads
   * at once.
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
    for (let after: RetentionCursor | null = null; this.#goesOn && goesOn(); ) {
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

  /** Answers how many pages went. A few free ones stay: the next captures are written into them. */
  async #giveBack(): Promise<number> {
    const { freePages, pages } = this.#table.size();
    const few = faultNumber('retention.free', vacuumFreePagesMin);
    const most = Math.max(few, pages * vacuumFreeShareMin);
    if (freePages <= most || !this.#table.isIncremental()) return 0;
    let left = freePages;
    while (left > vacuumKeptPages && this.#goesOn) {
      const began = performance.now();
      const now = this.#table.giveBack(vacuumStepPages);
      // Nothing moved: another process is in the way, and the next run goes on.
      if (now >= left) break;
      left = now;
      await this.#rest(began, vacuumStepPages * pageBytes);
    }
    return freePages - left;
  }

  /** Leaves the thread to others, and the disk too after `bytes` of writing. */
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

interface Shrunk {
  readonly shrunk: number;
  readonly chars: number;
}

const mib = 1024 * 1024;
/** SQLite's own (https://www.sqlite.org/pgszchng2016.html); an estimate is enough here. */
const pageBytes = 4_096;
