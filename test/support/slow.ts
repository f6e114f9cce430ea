import { describe, test } from 'vitest';

/** Whether everything runs, and properties draw all their cases: `npm run test:all`, or a command that names a test file. */
export const isAll = process.env.MEMD_TEST === 'all';

/** What `npm test` leaves to `npm run test:all`. */
export const slowTest = test.runIf(isAll);
export const slowSuite = describe.runIf(isAll);
