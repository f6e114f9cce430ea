import type { Report } from '#capture/log';
import type { ToolEvent } from '#core/event';
import { commitBatchMax } from '#core/limits';
import { messageOf, pause } from '#core/platform';

const commitRetryMs = 1_000;
const commitDelayMs = 10;

export interface CommitterOptions {
  /** Stores a batch durably. */
  readonly store: (events: readonly ToolEvent[]) => Promise<unknown>;
  /** Gets the log offset up to which everything is stored. */
  readonly committed: (end: number) => void;
  readonly report: Report;
}

/** Stores acknowledged events in the database, in order and in batches. Retries while the database refuses: the log has them. */
export class Committer {
  readonly #options: CommitterOptions;
  #pending: { readonly event: ToolEvent; readonly end: number }[] = [];
  #running: Promise<void> | null = null;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #flushes: { readonly upTo: number; readonly resolve: () => void }[] = [];
  #pushedCount = 0;
  #storedCount = 0;
  #trouble: { readonly since: string; readonly why: string } | null = null;

  constructor(options: CommitterOptions) {
    this.#options = options;
  }

  /** Why and since when the database refuses events, and how many wait in the log; null when it accepts them. */
  get trouble(): { readonly since: string; readonly why: string; readonly waiting: number } | null {
    return this.#trouble === null ? null : { ...this.#trouble, waiting: this.#pending.length };
  }

  push(event: ToolEvent, end: number): void {
    this.#pending.push({ event, end });
    this.#pushedCount += 1;
    // The commit's sync delays the next acknowledgement, so several captures share one.
    if (this.#pending.length >= commitBatchMax) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), commitDelayMs);
  }

  /** Settles when all events pushed before are stored, or were refused. */
  async flush(): Promise<void> {
    if (this.#pending.length === 0) return;
    this.#start();
    // Only up to here: under load more events follow.
    await new Promise<void>((resolve) => this.#flushes.push({ upTo: this.#pushedCount, resolve }));
  }

  /** Settles when all is stored, or after one more failure: the log still has it. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#start();
    await this.#running;
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#work().finally(() => {
      this.#running = null;
      this.#settleFlushes(Number.POSITIVE_INFINITY);
      // Events pushed while the work was ending.
      if (this.#pending.length > 0 && !this.#stop.signal.aborted) this.#start();
    });
  }

  async #work(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#pending.slice(0, commitBatchMax);
      try {
        await this.#options.store(batch.map((pending) => pending.event));
      } catch (error) {
        this.#failed(messageOf(error));
        this.#settleFlushes(Number.POSITIVE_INFINITY);
        if (this.#stop.signal.aborted) return;
        await pause(commitRetryMs, this.#stop.signal);
        continue;
      }
      this.#trouble = null;
      this.#pending.splice(0, batch.length);
      this.#storedCount += batch.length;
      this.#settleFlushes(this.#storedCount);
      const last = batch.at(-1);
      if (last !== undefined) this.#options.committed(last.end);
    }
  }

  /** Reports the same cause once. */
  #failed(why: string): void {
    if (this.#trouble?.why === why) return;
    this.#options.report('commit failed', { error: why, waiting: this.#pending.length });
    this.#trouble = { since: this.#trouble?.since ?? new Date().toISOString(), why };
  }

  #settleFlushes(upTo: number): void {
    for (const flush of this.#flushes) if (flush.upTo <= upTo) flush.resolve();
    this.#flushes = this.#flushes.filter((flush) => flush.upTo > upTo);
  }
}
