import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { closeHomes, Home, leftBehind } from '../support/home.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

test('mem handoff prints the evidence of a session: by default the latest, by a prefix, and near ones of an unknown one', async () => {
  const home = Home.open({ config: { 'drain.fallback': 'builtin', 'drain.tickMs': 600_000 } });
  await home.start();
  for (const [sessionId, script] of [
    ['mill-0001', 'grind'],
    ['mill-0002', 'sieve'],
  ] as const)
    await home.capture({
      ...{ tool: 'Bash', input: { command: `npm run ${script}` }, output: 'Exit code 3\nrye: not ground' },
      ...{ toolUseId: sessionId, sessionId, client: 'claude-code', isError: true },
    });
  const last = await home.mem(['handoff']);
  expect(last).toMatchObject({ code: 0, stderr: '' });
  expect(last.stdout).toMatch(/Commands, with their ends:\n.*`npm run sieve` failed \(3\): rye: not ground/);
  const first = await home.mem(['handoff', '--session', 'mill-0001']);
  expect(first.stdout).toContain('`npm run grind`');
  const unknown = await home.mem(['handoff', '--session', 'mill-0003']);
  expect(unknown).toMatchObject({ code: 1, stdout: '' });
  expect(unknown.stderr).toMatch(
    /there is no session "mill-0003"\. The nearest are mill-000[12], mill-000[12]/,
  );
  expect((await home.mem(['handoff', '--session', 'mill'])).stderr).toMatch(/is the beginning of 2 ids/);
});

test('a failed check stands once in a handoff: among the failed ones while its tests exist, among the commands without them', async () => {
  const home = Home.open({ config: { 'drain.fallback': 'builtin', 'drain.tickMs': 600_000 } });
  await home.start();
  const [sessionId, command] = ['mill-0004', 'node --test bran.test.js'];
  await home.capture({
    ...{ tool: 'Bash', input: { command }, output: "Exit code 1\nCould not find 'bran.test.js'" },
    ...{ toolUseId: 'bran', sessionId, client: 'claude-code', isError: true },
  });
  const file = path.join(home.project, 'bran.test.js');
  const printed = async (): Promise<string> => (await home.mem(['handoff'])).stdout;
  expect(await printed()).toMatch(
    /^Commands, with their ends:\n.*`node --test bran\.test\.js` failed \(1\)/m,
  );
  fs.writeFileSync(file, '');
  const said = await printed();
  expect(said).toMatch(/^Failed, and not passed since:\n.*`node --test bran\.test\.js`: /m);
  expect(said).not.toContain('Commands');
});
