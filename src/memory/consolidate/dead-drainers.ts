import { isAlive } from '../../core/platform/index.ts';
import type { Store } from '../store/index.ts';

/**
 * Gives back what killed drainers held, so that their rows need not wait for the lease's end. An owner's name
 * begins with the number of its process (`12345-...`).
 */
export function releaseDead(store: Store, self: string): void {
  for (const owner of store.events.leaseOwners(Date.now())) {
    const pid = Number.parseInt(owner, 10);
    // Our own number under another name: a former process had it.
    if (owner !== self && (pid === process.pid || !isAlive(pid))) store.events.releaseAll(owner);
  }
}
