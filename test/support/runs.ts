import fc from 'fast-check';
import { isAll } from './slow.ts';

/** Of the cases of a property `npm test` draws one in four, others each time; `npm run test:deep` `MEMD_RUNS` times all of them. */
const share = isAll ? Number(process.env.MEMD_RUNS ?? 1) : 0.25;

/** How many cases a property draws; `usual` is how many in `npm run test:all`. */
export function runs(usual: number): number {
  return Math.ceil(usual * share);
}

// For the properties that name no number. This file is also a setup of the unit tests.
fc.configureGlobal({ numRuns: runs(40) });
