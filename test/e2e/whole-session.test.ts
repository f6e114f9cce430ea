import { afterAll, afterEach, expect, test } from 'vitest';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { wholeSession } from '../support/whole-session.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

test('everything that memd does for a user works once, from up to uninstall --all', async () => {
  const home = Home.open({ name: 'h', config: { 'drain.tickMs': 600_000, 'drain.backend': 'builtin' } });
  await wholeSession(home, { MEMD_HTTP_PORT: '0' });
});
