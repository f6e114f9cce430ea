import { rateBinMs, rateWindowMs } from '../limits.ts';
import type { Sample } from '../live.ts';

/** What came in, from the totals that were seen: in the last 60 s, and in each `rateBinMs` of `rateWindowMs`, oldest first. A total that fell (rows were pruned) counts as nothing new. */
export function captureRate(samples: readonly Sample[], nowMs: number) {
  const bins = new Array<number>(Math.ceil(rateWindowMs / rateBinMs)).fill(0);
  let perMinute = 0;
  for (const [at, sample] of samples.entries()) {
    const before = samples[at - 1];
    if (before === undefined) continue;
    const came = Math.max(0, sample.events - before.events);
    const ageMs = Math.max(0, nowMs - sample.atMs);
    if (ageMs < 60_000) perMinute += came;
    const bin = bins.length - 1 - Math.floor(ageMs / rateBinMs);
    if (bins[bin] !== undefined) bins[bin] += came;
  }
  return { perMinute, bins };
}
