import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { lives } from '../support/processes.ts';
import { type Ran, run } from '../support/run.ts';
import { until } from '../support/until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The same program under an older number; below `node_modules`, where it finds SQLite. */
const older = path.join(root, `node_modules/.dist-older-${process.pid}`);
const olderVersion = '0.0.1';
const { version }: { version: string } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));

beforeAll(() => {
  const env = { ...process.env, MEMD_DIST: older, MEMD_BUILD_VERSION: olderVersion };
  execFileSync(process.execPath, [path.join(root, 'scripts/build.mjs')], { env, stdio: 'ignore' });
});
afterEach(closeHomes);
afterAll(() => {
  fs.rmSync(older, { recursive: true, force: true });
  expect(leftBehind()).toEqual([]);
});

/** Runs a script of one of the two builds in the home's project. */
function at(build: string, home: Home, script: string, args: readonly string[], input = ''): Promise<Ran> {
  return run(process.execPath, [path.join(build, script), ...args], {
    cwd: home.project,
    env: home.env(),
    input,
  });
}

async function startOlder(home: Home): Promise<number> {
  expect(await at(older, home, 'memd.cjs', ['start'])).toMatchObject({ code: 0 });
  expect((await home.info()).version).toBe(olderVersion);
  return home.pid();
}

const sessionStart = JSON.stringify({ session_id: 's', source: 'startup', hook_event_name: 'SessionStart' });

describe('an older daemon', () => {
  test('gives way to the newer program, and every call on the way is stored exactly once', async () => {
    // What the hook had to spool is taken in at the next tick.
    const home = Home.open({ config: { 'drain.tickMs': 500 } });
    const before = await startOlder(home);
    const calls = 60;
    let sent = 0;
    const replaced = { yes: false };
    const sender = async (): Promise<void> => {
      for (let id = sent++; id < calls; id = sent++) {
        const call = {
          tool: 'Read',
          input: { file_path: `src/${id}.ts` },
          output: `text ${id}`,
          toolUseId: `u${id}`,
        };
        const { code } = await at(dist, home, 'capture-observation.cjs', [], JSON.stringify(call));
        expect(code).toBe(0);
        // The last ones are sent when it is over: the takeover lies in the middle of them.
        if (id > calls / 2) await until('the takeover', () => replaced.yes);
      }
    };
    const senders = [sender(), sender()];
    await until('the first calls', () => sent > 6);
    const started = await at(dist, home, 'memd.cjs', ['start']);
    replaced.yes = true;
    expect(started).toMatchObject({ code: 0 });
    expect(started.stderr).toContain(`the older version ${olderVersion} (pid ${before}) has stopped`);
    await Promise.all(senders);
    expect(lives(before)).toBe(false);
    expect(home.daemons()).toEqual([home.pid()]);
    expect((await home.info()).version).toBe(version);
    await until('what lay in the spool', async () => (await home.info()).counts.events >= calls);
    const ids = home.rows('SELECT tool_use_id AS id FROM events ORDER BY rowid').map(({ id }) => String(id));
    expect(ids.sort()).toEqual(Array.from({ length: calls }, (_, id) => `u${id}`).sort());
  });

  test('many newer starts at once end with one daemon, and none ends what another has started', async () => {
    const home = Home.open();
    const before = await startOlder(home);
    const ran = await Promise.all(Array.from({ length: 5 }, () => at(dist, home, 'memd.cjs', ['start'])));
    expect(ran.map(({ code, stderr }) => (code === 0 ? 0 : stderr))).toEqual([0, 0, 0, 0, 0]);
    expect(lives(before)).toBe(false);
    expect(home.daemons()).toEqual([home.pid()]);
    const pids = new Set(ran.map(({ stdout }) => /pid (\d+)/.exec(stdout)?.[1]));
    expect([...pids]).toEqual([String(home.pid())]);
    expect((await home.info()).version).toBe(version);
  });

  test('is replaced when a session of the newer program begins', async () => {
    const home = Home.open();
    const before = await startOlder(home);
    const { code, stdout } = await at(dist, home, 'session-start.cjs', [], sessionStart);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(lives(before)).toBe(false);
    expect((await home.info()).version).toBe(version);
  });
});

describe('a newer daemon', () => {
  test('is left alone by start, which says so', async () => {
    const home = Home.open();
    const pid = await home.start();
    const { code, stdout, stderr } = await at(older, home, 'memd.cjs', ['start']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `memd is already running (pid ${pid})\n` });
    expect(stderr).toContain(`newer version ${version} and is not replaced`);
    expect(home.daemons()).toEqual([pid]);
  });

  test('is left alone when a session of the older program begins, which gets the advice to update', async () => {
    const home = Home.open();
    const pid = await home.start();
    const { code, stdout } = await at(older, home, 'session-start.cjs', [], sessionStart);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      systemMessage: expect.stringContaining(`newer version (${version})`),
    });
    expect(stdout).not.toContain('memd restart');
    expect(home.daemons()).toEqual([pid]);
  });

  test('two programs side by side do not end each other in turn', async () => {
    const home = Home.open();
    await startOlder(home);
    await at(dist, home, 'memd.cjs', ['start']);
    const pid = home.pid();
    for (const build of [older, dist, older, dist])
      await at(build, home, 'session-start.cjs', [], sessionStart);
    expect(home.daemons()).toEqual([pid]);
  });
});

describe('a database of a newer schema', () => {
  const laterSchema = 99;
  const refusal = `has schema ${laterSchema}, and this memd knows schemas up to`;
  const read = (id: string): string =>
    JSON.stringify({ tool: 'Read', input: { file_path: `${id}.ts` }, output: id, toolUseId: id });

  /** A home whose database the memd after next has written. Answers what puts that memd's knowledge in this one's hands. */
  async function writtenByLater(home: Home): Promise<() => void> {
    await home.start();
    await at(dist, home, 'capture-observation.cjs', [], read('before'));
    await home.memd(['stop']);
    const [row] = home.rows('PRAGMA user_version');
    home.operate(`PRAGMA user_version = ${laterSchema}`);
    // In the file itself: the next reader of the database would write it there.
    home.operate('PRAGMA wal_checkpoint(TRUNCATE)');
    return () => home.operate(`PRAGMA user_version = ${Number(row?.user_version)}`);
  }

  /** The files of the workspace, and what they hold. */
  function filesOf(home: Home): Record<string, string> {
    const { folder } = home.workspace();
    const names = fs.readdirSync(folder).filter((name) => !/-(?:wal|shm)$/.test(name));
    return Object.fromEntries(
      names.sort().map((name) => [name, fs.readFileSync(path.join(folder, name)).toString('base64')]),
    );
  }

  const failures = (home: Home): number =>
    home.daemonLog().filter(({ msg }) => msg === 'start failed').length;

  test('is refused in words by every command that would open it, and no file changes', async () => {
    const home = Home.open();
    await writtenByLater(home);
    const before = filesOf(home);
    for (const args of [['start'], ['restart'], ['up'], ['drain'], ['backfill']]) {
      const { code, stderr } = await at(older, home, 'memd.cjs', args);
      expect({ args, code, stderr }).toEqual({ args, code: 1, stderr: expect.stringContaining(refusal) });
      expect(stderr).toContain('Install the memd version that wrote it, or a newer one.');
    }
    expect((await at(older, home, 'memd.cjs', ['info'])).code).toBe(1);
    expect(home.daemons()).toEqual([]);
    expect(filesOf(home)).toEqual(before);
  });

  test('ends in no loop: sessions try three times and say one line, calls wait for the memd that knows it', async () => {
    const home = Home.open();
    const known = await writtenByLater(home);
    const lines: string[] = [];
    for (let session = 0; session < 5; session += 1) {
      const begun = await at(older, home, 'session-start.cjs', [], sessionStart);
      expect(begun).toMatchObject({ code: 0, stderr: '' });
      const { systemMessage }: { systemMessage: string } = JSON.parse(begun.stdout);
      lines.push(systemMessage);
      const hook = await at(older, home, 'capture-observation.cjs', [], read(`during-${session}`));
      expect(hook).toMatchObject({ code: 0, stdout: '' });
      expect(hook.stderr).toContain('queued in the spool. The next start stores it');
    }
    expect(lines.map((line) => [line.includes(refusal), line.includes('is not tried for')])).toEqual([
      ...[1, 2, 3].map(() => [true, false]),
      ...[4, 5].map(() => [true, true]),
    ]);
    expect(failures(home)).toBe(3);
    known();
    await home.start();
    const ids = home.rows('SELECT tool_use_id AS id FROM events ORDER BY id').map(({ id }) => id);
    expect(ids).toEqual(['before', ...[0, 1, 2, 3, 4].map((session) => `during-${session}`)]);
  });

  const marksGone = (home: Home): boolean => {
    const { idle, waking } = home.workspace();
    return !fs.existsSync(idle) && !fs.existsSync(waking);
  };

  test('an idle daemon of a newer memd is not tried again and again by the hooks of an older one', async () => {
    const home = Home.open({ config: { idleMinutes: 0.005 } });
    const pid = await home.start();
    await until('the idle daemon to leave', () => !lives(pid));
    home.operate(`PRAGMA user_version = ${laterSchema}`);
    for (let call = 0; call < 3; call += 1) {
      const { stderr } = await at(older, home, 'capture-observation.cjs', [], read(`c${call}`));
      expect(stderr).toContain(call === 0 ? 'starts again and stores it.' : 'The next start stores it.');
      await until('the end of the attempt', () => marksGone(home));
    }
    expect(failures(home)).toBe(1);
  });
});
