import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const idleMs = 10_000;
/** The second pass returns the pages that the first one has emptied. */
const secondPassMs = 2_000;
const worthBytes = 4 * 1024 * 1024;

/**
 * Collects garbage when this thread has had nothing to do for a while. V8 collects while it allocates, so that what a burst has left
 * would stay until the next one: 80 MiB after searches among 10,000 memories.
 */
export class IdleCollector {
  #seenMs = 0;
  #isWaiting = false;
  #keptBytes = 0;

  /** To be called with each request. */
  seen(): void {
    this.#seenMs = performance.now();
    if (!this.#isWaiting) this.#wait(idleMs);
  }

  #wait(ms: number): void {
    this.#isWaiting = true;
    setTimeout(() => this.#look(), ms).unref();
  }

  #look(): void {
    const restMs = this.#seenMs + idleMs - performance.now();
    if (restMs > 0) {
      this.#wait(restMs);
      return;
    }
    this.#isWaiting = false;
    if (getHeapStatistics().used_heap_size < this.#keptBytes + worthBytes) return;
    collectGarbage();
    this.#keptBytes = getHeapStatistics().used_heap_size;
    setTimeout(collectGarbage, secondPassMs).unref();
  }
}

let gc: unknown = null;

/** Node offers V8's function only with a flag, which a running process can set for new contexts. Takes 10 to 20 ms. */
export function collectGarbage(): void {
  if (gc === null) {
    setFlagsFromString('--expose-gc');
    gc = runInNewContext('gc');
  }
  if (typeof gc === 'function') gc();
}
