import type { ToolEvent } from '../event/index.ts';
import { commitBatchMax, commitRetryMs } from '../limits.ts';
import { messageOf } from '../platform/index.ts';

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
  #wake = (): void => {};

  constructor(options: CommitterOptions) {
    this.#options = options;
  }

  push(event: ToolEvent, end: number): void {
    this.#pending.push({ event, end });
    this.#start();
  }

  /** Settles when all that was pushed is stored, or at once after one more failure: the log still has it. */
  async close(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    await this.#running;
  }

  #start(): void {
    this.#running ??= this.#work().finally(() => {
      this.#running = null;
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
        this.#options.report('commit failed', { error: messageOf(error), waiting: this.#pending.length });
        if (this.#stopped) return;
        await this.#pause();
        continue;
      }
      this.#pending.splice(0, batch.length);
      const last = batch.at(-1);
      if (last !== undefined) this.#options.committed(last.end);
    }
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
