import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { end } from '../support/processes.ts';
import { until } from '../support/until.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const call = (name: string) => ({
  tool: 'Read',
  input: { name },
  output: `text of ${name}`,
  toolUseId: name,
});
const events = (home: Home) => home.rows('SELECT id FROM events').length;
/** What may never be said of a database that is sound. */
const givesUp = /move (?:it|the \w+) away|start with an empty|restore|damaged|corrupt|salvage/i;
const namesLock = /another program holds the database locked|the database is locked: another program holds/;

/** As another program takes it: against writers, or against readers too. Gives back what ends it. */
function lock(home: Home, mode: 'NORMAL' | 'EXCLUSIVE' = 'NORMAL'): () => void {
  const other = new DatabaseSync(home.workspace().database, { timeout: 5_000 });
  other.exec(`PRAGMA locking_mode = ${mode}; BEGIN EXCLUSIVE`);
  return () => other.close();
}

/** Two memories and no daemon. */
async function summarised(): Promise<Home> {
  const home = await Home.withRaw(2, { config: { 'drain.backend': 'builtin' } });
  await home.memd(['drain']);
  return home;
}

describe('while another program holds the database locked', () => {
  test('ops and commands that write answer busy and name the lock; captures are acknowledged, searches answered', async () => {
    const home = await summarised();
    await home.start();
    const unlock = lock(home);
    await Promise.all(['a', 'b', 'c'].map((name) => home.capture(call(name))));
    for (const request of [
      { op: 'pin', id: 1 },
      { op: 'unpin', id: 1 },
      { op: 'forget', id: 1 },
      { op: 'drain' },
      { op: 'focus', text: 'x' },
    ]) {
      const { ok, error } = await home.ask(request);
      expect({ op: request.op, ok, error }).toMatchObject({
        ok: false,
        error: { code: 'busy', message: expect.stringMatching(namesLock) },
      });
      expect(JSON.stringify(error)).not.toMatch(givesUp);
    }
    const pinned = await home.mem(['pin', '1']);
    expect(pinned).toMatchObject({ code: 1, stderr: expect.stringMatching(namesLock) });
    expect(await home.memd(['drain'])).toMatchObject({ code: 1, stderr: expect.stringMatching(namesLock) });
    expect(await home.ask({ op: 'search', query: 'part' })).toMatchObject({ ok: true, hits: [{}, {}] });
    const { warnings } = await home.info();
    expect(warnings.join('\n')).toMatch(
      /the database takes no tool call \(3 wait in the log\): the database is locked/,
    );
    unlock();
    await until('the captures in the database', () => events(home) === 5);
    expect(await home.ask({ op: 'pin', id: 1 })).toMatchObject({ ok: true });
    expect((await home.info()).warnings.join('\n')).not.toMatch(namesLock);
  });

  test('a start waits, says so, and takes in what was acknowledged when the lock is gone', async () => {
    const home = await summarised();
    const pid = await home.start();
    const unlock = lock(home);
    await home.capture(call('a'));
    await end(pid);
    const started = home.memd(['start']);
    await until('a start that waits', () =>
      home.daemonLog().some(({ msg }) => /the start waits for it/.test(msg)),
    );
    unlock();
    expect(await started).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^memd: another program holds the database locked; the start waits for it\n/,
      ),
    });
    expect(events(home)).toBe(3);
  });

  test('a start gives up in the end and advises nothing but to wait', async () => {
    const home = await summarised();
    const unlock = lock(home);
    const { code, stderr } = await home.memd(['start'], { env: { MEMD_FAULTS: 'start.lock=0' } });
    expect([code, stderr]).toEqual([1, expect.stringMatching(namesLock)]);
    expect(stderr).not.toMatch(givesUp);
    unlock();
    await home.start();
    expect(events(home)).toBe(2);
  });

  test('so that nobody can read it either: each command names the lock, and none calls it damaged', async () => {
    const home = await summarised();
    const unlock = lock(home, 'EXCLUSIVE');
    const [info, doctor, exported] = await Promise.all([
      home.memd(['info']),
      home.memd(['doctor']),
      home.mem(['export', path.join(home.folder, 'all.ndjson')]),
    ]);
    for (const { code, stdout, stderr } of [info, doctor, exported]) {
      expect(code).toBe(1);
      expect(stdout + stderr).toMatch(namesLock);
      expect(stdout + stderr).not.toMatch(givesUp);
    }
    unlock();
    expect(await home.memd(['doctor'])).toMatchObject({ code: 0 });
  });
});
