import { afterAll, afterEach, expect, test } from 'vitest';
import { closeHomes, Home, leftBehind } from '../support/home.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

test('a secret in the focus is redacted before it is stored, shown or sent', async () => {
  const secret = ['gh', 'p_', 'a1B2c3D4e5'.repeat(4).slice(0, 36)].join('');
  const home = Home.open();
  await home.start();
  const ran = await home.memd(['focus', `rotate ${secret} on the build machine`]);
  expect(ran.stdout).toMatch(/^rotate <redacted:[a-z-]+> on the build machine\n$/);
  expect((await home.info()).focus).toBe(ran.stdout.trim());
  expect(JSON.stringify(home.rows('SELECT value FROM settings'))).not.toContain(secret);
  const said = await home.memd(['focus', 'the panel behind Blue#Horse7']);
  expect(said.stdout).toBe('the panel behind <redacted:password>\n');
  expect((await home.memd(['focus', '--clear'])).stdout).toBe(
    'No focus is set. To set one, run `memd focus TEXT`.\n',
  );
});

test('no output of a command passes what a terminal obeys, and JSON stays the same value', async () => {
  const hostile = '\u009b31mRED\u009d52;c;eA==\u009c\u007f\u202etxt.exe\u2066x\u2069\u061c\u200b';
  const home = Home.open({ config: { 'drain.fallback': 'builtin', 'drain.tickMs': 600_000 } });
  await home.start();
  await home.memd(['focus', `mill ${hostile}`]);
  await home.capture({
    tool: 'Bash',
    input: { command: 'cat README' },
    output: `the mill ${hostile}`,
    sessionId: 's',
    toolUseId: hostile,
  });
  await home.memd(['drain']);
  const ran = await Promise.all([
    home.mem(['search', 'mill', '--json']),
    home.mem(['why', 'mill', '1', '--json']),
    home.mem(['show', '1', '--json']),
    home.mem(['recent', '--json']),
    home.mem(['timeline', '1', '--json']),
    home.memd(['info', '--json']),
    home.memd(['focus', '--json']),
    home.memd(['doctor', '--json']),
    home.memd(['logs', '--json']),
    home.mem(['export']),
    home.mem(['show', '1']),
    home.mem(['search', 'mill']),
    home.memd(['info']),
  ]);
  const obeyed = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
  expect(ran.map(({ stdout, stderr }) => obeyed.test(stdout + stderr))).toEqual(ran.map(() => false));
  const [, , shown] = ran;
  expect(JSON.parse(shown?.stdout ?? '')).toMatchObject({ toolUseId: hostile });
});
