import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { run } from '../support/run.ts';

const idlers: net.Socket[] = [];
afterEach(async () => {
  for (const one of idlers.splice(0)) one.destroy();
  await closeHomes();
});
afterAll(() => expect(leftBehind()).toEqual([]));

/** As a shell with that limit would: Node.js raises the soft limit to the hard one. */
function startLimited(home: Home, limit: number) {
  const args = ['-c', `ulimit -n ${limit}; exec "$@"`, 'sh', process.execPath, path.join(dist, 'memd.cjs')];
  return run('/bin/sh', [...args, 'start'], { cwd: home.project, env: home.env() });
}

test('with room for 50 open files, 100 idle connections lock nobody out, and log, info and doctor name the limit', async () => {
  const home = Home.open();
  expect(await startLimited(home, 50)).toMatchObject({ code: 0 });
  for (let at = 0; at < 100; at += 1) {
    const idler = net.connect(home.workspace().socket);
    idler.on('error', () => {});
    idlers.push(idler);
    await once(idler, 'connect');
  }
  // Together, so that the daemon takes several in one step.
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, at) =>
      home.capture({ tool: 'Read', output: 'x', toolUseId: `call-${at}` }),
    ),
  );
  expect(new Set(replies).size).toBe(6);
  const hook = { hook_event_name: 'PostToolUse', tool_name: 'Read', tool_input: {}, tool_response: 'x' };
  const payload = { ...hook, session_id: 's', tool_use_id: 'hooked', cwd: home.project };
  expect(await home.hook(payload)).toMatchObject({ code: 0, stderr: '' });
  const said = /^the limit of open files is too low .*: it is 50\. .*ulimit -n.*`memd restart`\.$/i;
  const { counts, daemon, warnings } = await home.info();
  expect([counts.events, daemon.reachable]).toEqual([7, true]);
  expect(warnings).toEqual([expect.stringMatching(said)]);
  expect((await home.memd(['doctor'])).stdout).toMatch(/^warning +open-files: The limit .*ulimit -n/m);
  expect(home.daemonLog().filter(({ msg }) => said.test(msg))).toHaveLength(1);
  expect(home.daemonLog().filter(({ level }) => level >= 50)).toEqual([]);
});
