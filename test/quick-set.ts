/** Unit tests that `npm test` leaves to `npm run test:all`: they measure how time grows, and play many devices. Single tests: `test/support/slow.ts`. */
export const slowUnitTests: readonly string[] = [
  'src/redact/engine/linear.test.ts',
  'src/service/sync/converge.test.ts',
];

/** The end-to-end tests of `npm test` by what they cover, files of `test/e2e`; all others are in `npm run test:all` alone. */
export const quickEndToEnd: Readonly<Record<string, readonly string[]>> = {
  'the whole way': ['whole-session'],
  install: ['install', 'plugin'],
  capture: ['capture', 'each-client', 'hook-command', 'own-output'],
  search: ['any-query', 'asking', 'search'],
  outline: ['handoff', 'session-start'],
  mcp: ['mcp'],
  sync: ['sync'],
  page: ['bridge'],
  'command line': ['as-printed', 'completion'],
  daemon: ['few-files', 'lifecycle', 'protocol'],
};
