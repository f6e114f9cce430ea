import { isAlive } from '#core/platform';
import type { Store } from '#memory/store';

/** Releases the rows of killed drainers before their leases end. An owner's name begins with its pid (`12345-...`). */
export function releaseDead(store: Store, self: string): void {
  for (const owner of store.events.leaseOwners(Date.now())) {
    const pid = Number.parseInt(owner, 10);
    // This process's pid under another name belonged to an earlier process.
    if (owner !== self && (pid === process.pid || !isAlive(pid))) store.events.releaseAll(owner);
  }
}
