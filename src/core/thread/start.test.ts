import { expect, test } from 'vitest';
import { startThread } from './start.ts';

test('a thread that is refused is an expected failure with its cause', () => {
  // Refused by Node itself, in the same place as one for which the system has no room.
  const nowhere = new URL('https://memd.invalid/thread.cjs');
  expect(() => startThread(nowhere, {})).toThrow(
    expect.objectContaining({
      code: 'unavailable',
      what: expect.stringMatching(/^a thread could not be started: .*URL/),
      repair: expect.any(String),
    }),
  );
});
