import { bestEffort, isAlive } from '../../core/platform/index.ts';
import type { Store } from '../store/index.ts';

const turnMs = 60_000;
const setting = 'drain.turn';

/**
 * A caller's drain goes first, in whatever process it runs: the database names it, and the background of every other process stops
 * after its current batch. Two processes that drain at the same time would wait for each other's transactions.
 */
export class DrainTurn {
  readonly #store: Store;
  readonly #owner: string;
  #callers = 0;
  #renewal: NodeJS.Timeout | undefined;

  constructor(store: Store, owner: string) {
    this.#store = store;
    this.#owner = owner;
  }

  /** Runs the work of a caller. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#callers += 1;
    this.#note();
    this.#renewal ??= setInterval(() => this.#note(), turnMs / 3).unref();
    try {
      return await work();
    } finally {
      this.#callers -= 1;
      if (this.#callers === 0) this.#end();
    }
  }

  /** Whether a caller waits or works, here or in another process that is alive. */
  isTaken(): boolean {
    if (this.#callers > 0) return true;
    const [owner = '', until = ''] = (this.#store.settings.get(setting) ?? '').split(' ');
    if (owner === '' || owner === this.#owner || Number(until) < Date.now()) return false;
    const pid = Number.parseInt(owner, 10);
    return pid !== process.pid && isAlive(pid);
  }

  #end(): void {
    clearInterval(this.#renewal);
    this.#renewal = undefined;
    this.#write(null);
  }

  #note(): void {
    this.#write(`${this.#owner} ${Date.now() + turnMs}`);
  }

  /** The turn is a courtesy: a database that is locked now must not fail the drain because of it. */
  #write(value: string | null): void {
    // It ends by its time.
    bestEffort(() => this.#store.settings.set(setting, value));
  }
}
