import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const idleMs = 10_000;
/** The second pass returns the pages that the first one has emptied. */
const secondPassMs = 2_000;
const worthBytes = 4 * 1024 * 1024;

/**
 * Collects garbage when this thread has had nothing to do for a while. V8 collects while it allocates, so that what a burst has left
 * would stay until the next one: 80 MiB after searches among 10,000 memories. The result is to be called with each request.
 */
export function idleCollector(): () => void {
  let seenMs = 0;
  let isWaiting = false;
  let keptBytes = 0;
  const look = (): void => {
    const restMs = seenMs + idleMs - performance.now();
    isWaiting = restMs > 0;
    if (isWaiting) setTimeout(look, restMs).unref();
    else if (getHeapStatistics().used_heap_size >= keptBytes + worthBytes) {
      collectGarbage();
      keptBytes = getHeapStatistics().used_heap_size;
      setTimeout(collectGarbage, secondPassMs).unref();
    }
  };
  return () => {
    seenMs = performance.now();
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(look, idleMs).unref();
  };
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
