import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

/** A user of whom nothing runs: the limit counts every thread of a user, and root's are not limited. */
const nobody = 61_000 + (process.pid % 3_000);

function asNobody(home: Home, limit: number | 'unlimited', args: readonly string[], input = '') {
  const limited = `ulimit -c 0; ulimit -u ${limit}; exec "$@"`;
  const given = {
    uid: nobody,
    gid: nobody,
    cwd: home.project,
    env: home.env(),
    input,
    encoding: 'utf8',
  } as const;
  return spawnSync('bash', ['-c', limited, 'bash', process.execPath, ...args], given);
}

function nobodysHome(): Home {
  const home = Home.open();
  fs.chmodSync(home.folder, 0o755);
  const below = fs.readdirSync(home.folder, { recursive: true, encoding: 'utf8' });
  for (const name of ['', ...below]) fs.chownSync(path.join(home.folder, name), nobody, nobody);
  return home;
}

const memd = path.join(dist, 'memd.cjs');
const isRoot = process.getuid?.() === 0;
const canTry = isRoot && spawnSync(process.execPath, [memd, '--version'], { uid: nobody }).status === 0;

// At the lowest one the system starts no further process, at the next one none of its threads, at the highest not all of them.
test.runIf(canTry).each([8, 14, 18])(
  'with room for %i threads, a start fails in words and leaves no process',
  (limit) => {
    const home = nobodysHome();
    for (const args of [['start'], ['up'], ['restart'], ['start', '--foreground'], ['backfill']]) {
      const { status, stderr } = asNobody(home, limit, [memd, ...args]);
      expect({ args, status, stderr }).toMatchObject({
        args,
        status: 1,
        stderr: expect.stringMatching(/^memd: .*ulimit -u/m),
      });
      expect(home.daemons()).toEqual([]);
    }
    const info = asNobody(home, limit, [memd, 'info']);
    expect(info).toMatchObject({ status: 1, stdout: expect.stringMatching(/^daemon: unreachable$/m) });
  },
);

test.runIf(canTry).each([8])(
  'with room for %i threads, the hook at a session’s start says why there is no daemon',
  (limit) => {
    const start = JSON.stringify({ hook_event_name: 'SessionStart', source: 'startup', session_id: 's' });
    const hook = asNobody(nobodysHome(), limit, [path.join(dist, 'session-start.cjs')], start);
    expect(hook).toMatchObject({ status: 0, stdout: expect.stringContaining('ulimit -u') });
  },
);
