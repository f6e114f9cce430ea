import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          maxWorkers: 3,
          // A limit for what hangs, not a measure: properties over real databases take seconds on a busy machine.
          testTimeout: 60_000,
          hookTimeout: 60_000,
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
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'page',
          maxWorkers: 3,
          include: ['test/page/**/*.test.ts'],
          globalSetup: ['test/page/unpack.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'crash',
          maxWorkers: 2,
          maxConcurrency: 3,
          include: ['test/crash/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
