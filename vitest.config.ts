import { defineConfig } from 'vitest/config';
import { quickEndToEnd, slowUnitTests } from './test/quick-set.ts';

// `npm test` leaves what is slow to `npm run test:all`, which CI runs: see `test/quick-set.ts`.
// A test file that the command names runs whole. The workers inherit this.
if (process.argv.some((word) => /\.test\.ts$/.test(word))) process.env.MEMD_TEST = 'all';
const isAll = process.env.MEMD_TEST === 'all';

const quick = Object.values(quickEndToEnd).flatMap((names) =>
  names.map((name) => `test/e2e/${name}.test.ts`),
);

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          maxWorkers: 3,
          // In `npm test` the files of a worker share its modules: to load them again for each takes as long as half of the tests.
          isolate: isAll,
          setupFiles: ['test/support/runs.ts'],
          // A limit for what hangs, not a measure: properties over real databases take seconds on a busy machine.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 30_000 } },
          exclude: isAll ? [] : [...slowUnitTests],
          include: [
            'src/**/*.test.ts',
            'demo/**/*.test.ts',
            'bench/**/*.test.mjs',
            'web/**/*.test.ts',
            'test/tidy/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          name: 'e2e',
          maxWorkers: 3,
          include: isAll ? ['test/e2e/**/*.test.ts'] : quick,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        test: {
          name: 'page',
          maxWorkers: 3,
          include: ['test/page/**/*.test.ts'],
          globalSetup: ['test/page/unpack.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        test: {
          name: 'crash',
          maxWorkers: 2,
          maxConcurrency: 3,
          include: ['test/crash/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
      {
        // The tarball on each Node that is supported: `npm run test:package`, not part of `npm test`.
        test: {
          name: 'package',
          maxWorkers: 1,
          include: ['test/package/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        // Real assistants: `npm run test:client`, not part of `npm test`.
        test: {
          name: 'client',
          maxWorkers: 2,
          include: ['test/client/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
