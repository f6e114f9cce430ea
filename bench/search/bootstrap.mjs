// Whether a difference between two systems is more than the luck of these queries: the paired bootstrap (Efron and
// Tibshirani 1993; Sakai 2006 for search). Both systems answered the same queries, so what is drawn is their differences.

/**
 * The mean of `differences` and the middle 95 % of the means of `resamples` draws with replacement; the same seed
 * gives the same interval. Null without any difference.
 */
export function interval(differences, { resamples = 2_000, seed = 1 } = {}) {
  const { length } = differences;
  if (length === 0) return null;
  const random = seeded(seed);
  const means = Float64Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let drawn = 0; drawn < length; drawn += 1) sum += differences[Math.floor(random() * length)];
    return sum / length;
  }).sort();
  const mean = differences.reduce((sum, one) => sum + one, 0) / length;
  return { mean, low: means[Math.floor(resamples * 0.025)], high: means[Math.ceil(resamples * 0.975) - 1] };
}

/** The differences `a - b` of one figure, query by query; both lists are of the same queries in the same order. */
export function paired(a, b, figure) {
  if (a.length !== b.length) throw new Error(`${a.length} queries against ${b.length}`);
  return a.map((one, at) => one[figure] - b[at][figure]);
}

/** Numbers from 0 to below 1 (mulberry32, Ettinger 2017). */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
