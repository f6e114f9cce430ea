import { test } from 'vitest';
import { pause } from './pause.ts';

test('a pause ends with its signal', async () => {
  const stop = new AbortController();
  const paused = pause(3_600_000, stop.signal);
  stop.abort();
  await paused;
  await pause(3_600_000, stop.signal);
});
