import { defineConfig } from 'vitest/config';

/** Slow tests: those that measure how time grows, and that start, kill or block many daemons. `npm run test:all`, which CI runs, includes them. */
const slow = [
  'src/redact/engine/linear.test.ts',
  'src/service/sync/converge.test.ts',
  ...[
    'bridge',
    'broken-worlds',
    'doc-examples',
    'doctor',
    'drain',
    'durability',
    'forget',
    'hooks-never-break',
    'idle',
    'install',
    'locked-database',
    'mcp-away',
    'moved',
    'network',
    'one-slow-client',
    'places',
    'prune',
    'recall',
    'refusals',
    'retention',
    'session-start',
    'sync',
    'sync-team',
    'takeover',
    'uninstall-all',
    'uninstalled',
    'unreachable',
    'unsafe-socket',
    'upgrade',
  ].map((name) => `test/e2e/${name}.test.ts`),
];
// A slow file that the command names runs too.
const excluded =
  process.env.MEMD_TEST === 'all'
    ? []
    : slow.filter((file) => !process.argv.some((word) => word.endsWith(file)));

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          maxWorkers: 3,
          setupFiles: ['test/support/runs.ts'],
          // A limit for what hangs, not a measure: properties over real databases take seconds on a busy machine.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 30_000 } },
          exclude: excluded,
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
          exclude: excluded,
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
