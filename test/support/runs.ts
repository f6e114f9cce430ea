import fc from 'fast-check';

/**
 * How many cases a property draws: `usual` in `npm test`, which has to be quick and draws others each time; `MEMD_RUNS` times as many
 * in `npm run test:deep`.
 */
export function runs(usual: number): number {
  return Math.ceil(usual * Number(process.env.MEMD_RUNS ?? 1));
}

// For the properties that name no number. This file is also a setup of the unit tests.
fc.configureGlobal({ numRuns: runs(40) });
