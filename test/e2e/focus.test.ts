import { afterAll, afterEach, expect, test } from 'vitest';
import { closeHomes, Home, leftBehind } from '../support/home.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

test('a secret in the focus is redacted before it is stored, shown or told', async () => {
  const secret = ['gh', 'p_', 'a1B2c3D4e5'.repeat(4).slice(0, 36)].join('');
  const home = Home.open();
  await home.start();
  const ran = await home.memd(['focus', `rotate ${secret} on the build machine`]);
  expect(ran.stdout).toMatch(/^rotate <redacted:[a-z-]+> on the build machine\n$/);
  expect((await home.info()).focus).toBe(ran.stdout.trim());
  expect(JSON.stringify(home.rows('SELECT value FROM settings'))).not.toContain(secret);
  expect((await home.memd(['focus', '--clear'])).stdout).toBe('no focus is set\n');
});
