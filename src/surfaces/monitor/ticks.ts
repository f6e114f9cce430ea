/**
 * The number of the next tick after number `last`, `elapsedMs` after number 0. Ticks stand on a grid, so that slow pings do not push
 * it along; those that were missed (a machine that slept) are left out.
 */
export function nextTick(last: number, elapsedMs: number, intervalMs: number): number {
  // A timer may ring a little early: that tick is done all the same.
  return Math.max(last + 1, Math.ceil(elapsedMs / intervalMs));
}
