import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, expect, test } from 'vitest';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { lives } from '../support/processes.ts';
import { run } from '../support/run.ts';
import { until } from '../support/until.ts';

const copies: string[] = [];

afterEach(async () => {
  await closeHomes();
  for (const copy of copies.splice(0)) fs.rmSync(copy, { recursive: true, force: true });
});
afterAll(() => expect(leftBehind()).toEqual([]));

/** A copy of the build that can be taken away; below `node_modules`, where it finds SQLite. */
function copyOfBuild(): string {
  const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url));
  const copy = fs.mkdtempSync(path.join(modules, '.dist-taken-away-'));
  fs.cpSync(dist, copy, { recursive: true });
  copies.push(copy);
  return copy;
}

async function startFrom(build: string, home: Home): Promise<number> {
  const options = { cwd: home.project, env: home.env() };
  expect(await run(process.execPath, [path.join(build, 'memd.cjs'), 'start'], options)).toMatchObject({
    code: 0,
  });
  return home.pid();
}

/** Large enough for the capture thread, which is started when it is needed. */
const large = {
  op: 'capture',
  tool: 'Bash',
  input: { command: 'cat log' },
  output: 'a line of it\n'.repeat(200_000),
};
const small = { op: 'capture', tool: 'Read', input: { file_path: 'a' }, output: 'b', toolUseId: 'after' };

test('a daemon whose program was removed says so, goes on with the rest, and leaves by itself', async () => {
  const home = Home.open();
  const build = copyOfBuild();
  const pid = await startFrom(build, home);
  fs.rmSync(build, { recursive: true });

  expect(await home.ask(large)).toMatchObject({
    ok: false,
    error: { code: 'unavailable', message: expect.stringMatching(/was removed.*Install memd again/) },
  });
  expect(await home.ask({ op: 'backfill' })).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  expect(await home.ask(small)).toMatchObject({ ok: true });
  await until('its leave', () => !lives(pid));
  expect(home.daemonLog().some(({ reason }) => reason === 'its program was removed')).toBe(true);

  await home.start();
  expect((await home.info()).counts.events).toBe(1);
});

test('a daemon whose program was replaced does not run parts of the new one, and a restart is what it asks for', async () => {
  const home = Home.open();
  const build = copyOfBuild();
  const pid = await startFrom(build, home);
  const daemon = path.join(build, 'daemon.cjs');
  fs.renameSync(daemon, `${daemon}.old`);
  fs.copyFileSync(`${daemon}.old`, daemon);

  expect(await home.ask(large)).toMatchObject({
    ok: false,
    error: { code: 'unavailable', message: expect.stringMatching(/was replaced.*Run `memd restart`\./) },
  });
  expect(lives(pid)).toBe(true);
  expect(await home.memd(['restart'])).toMatchObject({ code: 0 });
  expect(await home.ask(large)).toMatchObject({ ok: true });
});

test('the hook keeps in the spool what such a daemon cannot take', async () => {
  const home = Home.open();
  const build = copyOfBuild();
  await startFrom(build, home);
  fs.rmSync(path.join(build, 'daemon.cjs'));
  const { op: _op, ...call } = large;
  const hook = await home.hook({ ...call, toolUseId: 'large' });
  expect(hook).toMatchObject({ code: 0, stdout: '' });
  expect(hook.stderr).toContain('queued in the spool');
  await home.memd(['restart']);
  expect(home.rows('SELECT tool_use_id AS id FROM events')).toEqual([{ id: 'large' }]);
});
