import type { ToolEvent } from '../../core/event/index.ts';
import { commitBatchMax } from '../../core/limits.ts';
import { messageOf } from '../../core/platform/index.ts';

const commitRetryMs = 1_000;
const commitDelayMs = 10;

/** Tells the daemon's log of something that went wrong. */
export type Report = (message: string, fields: Readonly<Record<string, string | number>>) => void;

interface Pending {
  readonly event: ToolEvent;
  readonly end: number;
}

export interface CommitterOptions {
  /** Stores a batch durably. */
  readonly store: (events: readonly ToolEvent[]) => Promise<unknown>;
  /** Told of the log offset up to which everything is stored. */
  readonly committed: (end: number) => void;
  readonly report: Report;
}

/**
 * Carries acknowledged events from the log into the database, in order and in batches. While the database
 * refuses, they stay in the log and are tried again: nothing that was acknowledged depends on this succeeding
 * soon.
 */
export class Committer {
  readonly #options: CommitterOptions;
  #pending: Pending[] = [];
  #running: Promise<void> | null = null;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  #flushes: { readonly upTo: number; readonly resolve: () => void }[] = [];
  #pushedCount = 0;
  #storedCount = 0;
  #trouble: { readonly since: string; readonly why: string } | null = null;
  #wake = (): void => {};

  constructor(options: CommitterOptions) {
    this.#options = options;
  }

  /** Why the database takes nothing, since when, and how many events wait for it in the log; null: it does. */
  get trouble(): { readonly since: string; readonly why: string; readonly waiting: number } | null {
    return this.#trouble === null ? null : { ...this.#trouble, waiting: this.#pending.length };
  }

  push(event: ToolEvent, end: number): void {
    this.#pending.push({ event, end });
    this.#pushedCount += 1;
    // A commit syncs the same disk that the next acknowledgement waits for: a few captures share one.
    if (this.#pending.length >= commitBatchMax) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), commitDelayMs);
  }

  /** Settles when all that was pushed before is stored, or could not be: who asks next sees what it captured. */
  async flush(): Promise<void> {
    if (this.#pending.length === 0) return;
    this.#start();
    // Up to here and no further: under load there is always more behind.
    await new Promise<void>((resolve) => this.#flushes.push({ upTo: this.#pushedCount, resolve }));
  }

  /** Settles when all that was pushed is stored, or at once after one more failure: the log still has it. */
  async close(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    this.#start();
    await this.#running;
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#work().finally(() => {
      this.#running = null;
      this.#tellFlushed(Number.POSITIVE_INFINITY);
      // What was pushed after the work had looked for more, and before it had ended.
      if (this.#pending.length > 0 && !this.#stopped) this.#start();
    });
  }

  async #work(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#pending.slice(0, commitBatchMax);
      try {
        await this.#options.store(batch.map((pending) => pending.event));
      } catch (error) {
        this.#failed(messageOf(error));
        this.#tellFlushed(Number.POSITIVE_INFINITY);
        if (this.#stopped) return;
        await this.#pause();
        continue;
      }
      this.#trouble = null;
      this.#pending.splice(0, batch.length);
      this.#storedCount += batch.length;
      this.#tellFlushed(this.#storedCount);
      const last = batch.at(-1);
      if (last !== undefined) this.#options.committed(last.end);
    }
  }

  /** Said once, not at every try, while it stays the same. */
  #failed(why: string): void {
    if (this.#trouble?.why === why) return;
    this.#options.report('commit failed', { error: why, waiting: this.#pending.length });
    this.#trouble = { since: this.#trouble?.since ?? new Date().toISOString(), why };
  }

  #tellFlushed(upTo: number): void {
    for (const flush of this.#flushes) if (flush.upTo <= upTo) flush.resolve();
    this.#flushes = this.#flushes.filter((flush) => flush.upTo > upTo);
  }

  async #pause(): Promise<void> {
    const { promise, resolve } = deferred();
    const timer = setTimeout(resolve, commitRetryMs);
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
