import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { Devices, git, memories } from '../support/devices.ts';
import { closeHomes, type Home, leftBehind } from '../support/home.ts';
import { slowSuite, slowTest } from '../support/slow.ts';
import { until } from '../support/until.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const plain = { 'sync.encrypt': false };

async function record(home: Home, name: string, session = 's1'): Promise<string> {
  const call = { tool: 'Bash', input: { command: `echo ${name}` }, output: `the word ${name}` };
  return home.capture({ ...call, sessionId: session, toolUseId: `call-${name}` });
}

async function idOf(home: Home, event: string): Promise<number> {
  return Number(home.rows('SELECT id FROM summaries WHERE event_id = ?', event)[0]?.id);
}

async function ready(devices: Devices): Promise<void> {
  for (const home of devices.all) {
    await home.start();
    await devices.sync(home, 'init', devices.remote);
  }
}

describe('two devices over one bare repository', () => {
  test('what is captured on one is found on the other, once, with its pins', async () => {
    const devices = new Devices(plain);
    const [one, two] = [devices.first, devices.add()];
    await ready(devices);
    expect(fs.readdirSync(path.join(devices.remote, 'objects')).filter((name) => name.length === 2)).toEqual(
      [],
    );
    const event = await record(one, 'quokka');
    await one.ask({ op: 'drain' });
    await one.ask({ op: 'pin', id: await idOf(one, event) });
    expect(await devices.sync(one)).toContain('unencrypted');
    await devices.sync(two);
    await devices.sync(two);
    expect(memories(two)).toEqual(memories(one));
    expect((await two.mem(['search', 'quokka'])).stdout).toContain('quokka');
    const later = await record(two, 'wombat', 's2');
    await two.ask({ op: 'drain' });
    await two.ask({ op: 'unpin', id: await idOf(two, event) });
    await devices.sync(two);
    await devices.sync(one);
    expect(memories(one)).toEqual(memories(two));
    expect(one.rows('SELECT pinned FROM summaries WHERE event_id = ?', event)).toEqual([{ pinned: 0 }]);
    expect(await idOf(one, later)).toBeGreaterThan(0);
    expect(one.rows('SELECT count(DISTINCT device) AS n FROM events')).toEqual([{ n: 2 }]);
  });

  test('forget speaks of the remote once something was sent', async () => {
    const devices = new Devices(plain);
    const one = devices.first;
    await ready(devices);
    const [first, second] = [await record(one, 'quokka'), await record(one, 'wombat')];
    await one.ask({ op: 'drain' });
    const forget = async (event: string) => one.mem(['forget', String(await idOf(one, event))]);
    expect(await forget(first)).toMatchObject({ code: 0, stderr: '' });
    await devices.sync(one);
    expect((await forget(second)).stderr).toContain('the remote, its copy here and your other devices');
  });

  slowTest('push only sends, pull only receives, and options before an action are its own', async () => {
    const devices = new Devices(plain);
    const [one, two] = [devices.first, devices.add()];
    await ready(devices);
    for (const [home, name] of [
      [one, 'numbat'],
      [two, 'bilby'],
    ] as const) {
      await record(home, name, name);
      await home.ask({ op: 'drain' });
      expect(JSON.parse((await home.memd(['sync', '--json', 'push'])).stdout)).toMatchObject({
        ok: true,
        pulled: null,
      });
    }
    expect(memories(one).join()).not.toContain('bilby');
    expect(JSON.parse((await one.memd(['sync', 'pull', '--json'])).stdout)).toMatchObject({ pushed: null });
    expect(memories(one).join()).toContain('bilby');
    expect((await one.memd(['sync', 'push', '--dry-run'])).stdout).toBe('Nothing would leave.\n');
  });

  slowTest(
    'what is forgotten on one is gone on the other, leaves the tip, and never reaches a third',
    async () => {
      const devices = new Devices(plain);
      const [one, two] = [devices.first, devices.add()];
      await ready(devices);
      const event = await record(one, 'secretive');
      await record(one, 'ordinary');
      await one.ask({ op: 'drain' });
      await devices.sync(one);
      await devices.sync(two);
      const old = git(devices.remote, 'rev-parse', devices.branch()).trim();
      await one.ask({ op: 'forget', id: await idOf(one, event) });
      await devices.sync(one);
      expect(devices.tip()).not.toContain('secretive');
      expect(devices.tip()).toContain('ordinary');
      await devices.sync(two);
      expect(memories(two)).toEqual(memories(one));
      expect(memories(two).join()).not.toContain('secretive');
      // The remote is set back to before the removal.
      git(devices.remote, 'update-ref', devices.branch(), old);
      await devices.sync(two);
      const late = devices.add();
      await late.start();
      await devices.sync(late, 'init', devices.remote);
      await devices.sync(late);
      expect(memories(late)).toEqual(memories(one));
      await devices.sync(one);
      expect(devices.tip()).not.toContain('secretive');
      expect(memories(one).join()).not.toContain('secretive');
    },
  );
});

slowSuite('encrypted', () => {
  test('with a passphrase from a private file: no object of the remote holds a word, another passphrase opens nothing', async () => {
    const devices = new Devices();
    const [one, two] = [devices.first, devices.add()];
    await ready(devices);
    const file = (home: Home, text: string, mode = 0o600): string => {
      const name = path.join(home.folder, `pass-${mode.toString(8)}-${text.length}`);
      fs.writeFileSync(name, `${text}\n`, { mode });
      fs.chmodSync(name, mode);
      return name;
    };
    const none = await one.memd(['sync']);
    expect({ code: none.code, stderr: none.stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no passphrase.*--passphrase-file/),
    });
    const open = await one.memd(['sync', '--passphrase-file', file(one, 'correct horse', 0o644)]);
    expect(open).toMatchObject({ code: 1, stderr: expect.stringMatching(/open to others.*chmod 600/) });
    const event = await record(one, 'platypus');
    await one.ask({ op: 'drain' });
    await devices.sync(one, '--passphrase-file', file(one, 'correct horse'));
    for (const line of git(devices.remote, 'cat-file', '--batch-check', '--batch-all-objects')
      .trim()
      .split('\n')) {
      const [oid = '', type = ''] = line.split(' ');
      expect(git(devices.remote, 'cat-file', type, oid)).not.toMatch(/platypus|echo|example\.com|summary/);
    }
    const wrong = await two.memd(['sync', '--passphrase-file', file(two, 'wrong horses')]);
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(/does not open/) });
    await devices.sync(two, '--passphrase-file', file(two, 'correct horse'));
    expect(memories(two)).toEqual(memories(one));
    expect(two.rows('SELECT author, is_foreign FROM events')).toEqual([
      { author: 'me@example.com', is_foreign: 0 },
    ]);
    // Forgotten by another device of the same author: gone here too, and out of the tip.
    const before = git(devices.remote, 'ls-tree', '-r', devices.branch());
    await two.ask({ op: 'forget', id: await idOf(two, event) });
    await devices.sync(two, '--passphrase-file', file(two, 'correct horse'));
    await devices.sync(one, '--passphrase-file', file(one, 'correct horse'));
    expect(memories(one)).toEqual([]);
    expect(fs.readdirSync(one.workspace().folder).filter((name) => name.startsWith('restore-'))).toEqual([]);
    const [oid = ''] = /[0-9a-f]{40}(?=\tdevices)/.exec(before) ?? [];
    expect(git(devices.remote, 'ls-tree', '-r', devices.branch())).not.toContain(oid);
  });
});

slowSuite('a remote that misbehaves', () => {
  test('one that is away, hangs or holds garbage: words, nothing lost, and the sync goes on', async () => {
    const devices = new Devices(plain);
    const [one, two] = [devices.first, devices.add()];
    await ready(devices);
    await record(one, 'numbat');
    fs.renameSync(devices.remote, `${devices.remote}.away`);
    const away = await one.memd(['sync']);
    expect(away).toMatchObject({ code: 1, stderr: expect.stringMatching(/refused.*complete here/) });
    fs.renameSync(`${devices.remote}.away`, devices.remote);
    const hangs = path.join(devices.first.folder, 'hang.sh');
    fs.writeFileSync(hangs, '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
    await devices.sync(one, 'init', 'ssh://nobody@example.invalid/memory.git');
    const hanging = await one.memd(['sync'], {
      env: { GIT_SSH_COMMAND: hangs, MEMD_FAULTS: 'sync.silent.ms=500' },
    });
    expect(hanging).toMatchObject({ code: 1, stderr: expect.stringMatching(/did not answer for/) });
    await devices.sync(one, 'init', devices.remote);
    // A commit of somebody else's files is in the branch's place.
    await devices.sync(two);
    const branch = 'refs/heads/memd/garbage';
    git(two.project, 'push', '-q', devices.remote, `HEAD:${branch}`);
    await devices.sync(one);
    const real = git(devices.remote, 'for-each-ref', '--format=%(refname)')
      .trim()
      .split('\n')
      .find((name) => name !== branch);
    const garbage = garbageIn(devices);
    git(devices.remote, 'update-ref', real ?? '', garbage);
    git(devices.remote, 'update-ref', '-d', branch);
    expect(await devices.sync(two)).toMatch(/ignored|not read/);
    await devices.sync(one);
    await devices.sync(two);
    expect(memories(two)).toEqual(memories(one));
    expect(memories(two)).toHaveLength(1);
    expect(git(devices.remote, 'ls-tree', '-r', '--name-only', devices.branch())).not.toMatch(
      /README|hooks|\.\./,
    );
  });
});

slowSuite('several authors', () => {
  test('what another author recorded and pinned is marked, and in the outline only if trusted; a forged author does not help', async () => {
    const devices = new Devices(plain);
    const [one, two] = [devices.first, devices.add('bob@example.com')];
    await ready(devices);
    const own = await record(one, 'kakapo', 'session-of-me');
    await one.ask({ op: 'drain' });
    await devices.sync(one);
    await devices.sync(two);
    const theirs = await record(two, 'tuatara', 'session-of-bob');
    await two.ask({ op: 'drain' });
    for (const event of [own, theirs]) await two.ask({ op: 'pin', id: await idOf(two, event) });
    await two.ask({ op: 'focus', text: 'the focus of bob' });
    await devices.sync(two);
    await devices.sync(one);
    const found = await one.mem(['search', 'tuatara']);
    expect(found.stdout).toContain('from bob@example.com');
    expect((await one.mem(['show', String(await idOf(one, theirs))])).stdout).toContain(
      'from bob@example.com',
    );
    const { hits } = JSON.parse((await one.mem(['search', 'tuatara', '--json'])).stdout);
    expect(hits[0]).toMatchObject({
      author: 'bob@example.com',
      device: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const outline = async () => JSON.stringify((await one.ask({ op: 'outline' })).text);
    expect(await outline()).not.toMatch(/tuatara|Pinned|focus of bob/);
    const trusting = async (...names: string[]) => {
      one.configure({ ...plain, 'drain.tickMs': 600_000, 'sync.trust': names });
      await one.memd(['restart']);
    };
    await trusting('bob@example.com');
    expect(await outline()).toContain('tuatara');
    await trusting();
    // Bob cannot forget what he has not recorded, nor unpin what its author pinned.
    await one.ask({ op: 'pin', id: await idOf(one, own) });
    await two.ask({ op: 'forget', id: await idOf(two, own) });
    await devices.sync(two);
    await devices.sync(one);
    expect(await idOf(one, own)).toBeGreaterThan(0);
    expect(await outline()).toMatch(/Pinned[\s\S]*kakapo/);
    // A copy of Bob's segment under the name of the victim, as anyone who can write to the remote can make it.
    forge(devices, 'bob@example.com', 'me@example.com');
    const said = await devices.sync(one);
    expect(await outline()).not.toContain('tuatara');
    // Without encryption nothing proves an author: what such a segment removes goes to a restore file, and is only pruned.
    const [, file = ''] = /is in (\S+) for 30 days/.exec(said) ?? [];
    expect((await one.mem(['import', file])).code).toBe(0);
    expect(one.rows('SELECT count(*) AS n FROM events')).toEqual([{ n: 2 }]);
    await devices.sync(one);
    expect(await idOf(one, own)).toBeGreaterThan(0);
  });
});

slowTest('with sync.share "promoted" only what was chosen leaves, with its note', async () => {
  const devices = new Devices({ ...plain, 'sync.share': 'promoted' });
  const [one, two] = [devices.first, devices.add('bob@example.com')];
  await ready(devices);
  const chosen = await record(one, 'mulgara');
  await record(one, 'potoroo');
  await one.ask({ op: 'drain' });
  await one.ask({ op: 'rest', session: 's1' });
  await devices.sync(one);
  expect(git(devices.remote, 'for-each-ref')).toBe('');
  const id = String(await idOf(one, chosen));
  expect((await one.mem(['promote', id, '--note', 'this one is the release'])).code).toBe(0);
  await devices.sync(one);
  await devices.sync(two);
  expect(devices.tip()).not.toContain('potoroo');
  const found = await two.mem(['search', 'mulgara']);
  expect(found.stdout).toMatch(/from me@example\.com[\s\S]*this one is the release/);
  expect(two.rows('SELECT count(*) AS n FROM events')).toEqual([{ n: 1 }]);
});

/** Replays all segments of one author as those of another, on a device that nobody has. */
function forge({ remote }: Devices, from: string, to: string): void {
  const branch = git(remote, 'for-each-ref', '--format=%(refname)').trim();
  const index = path.join(remote, 'forged.index');
  const env = { ...process.env, GIT_INDEX_FILE: index };
  execFileSync('git', ['read-tree', branch], { cwd: remote, env });
  const files = git(remote, 'ls-tree', '-r', '--name-only', branch).trim().split('\n');
  for (const file of files.filter((name) => name.startsWith('devices/'))) {
    const text = git(remote, 'show', `${branch}:${file}`);
    if (!text.includes(from)) continue;
    const [, device = ''] = file.split('/');
    const forged = text.replaceAll(from, to).replaceAll(device, 'ef'.repeat(16));
    const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], {
      cwd: remote,
      input: forged,
      encoding: 'utf8',
    });
    const name = file.replace(device, 'ef'.repeat(16));
    execFileSync('git', ['update-index', '--add', '--cacheinfo', `100644,${blob.trim()},${name}`], {
      cwd: remote,
      env,
    });
  }
  const tree = execFileSync('git', ['write-tree'], { cwd: remote, env, encoding: 'utf8' }).trim();
  git(remote, 'update-ref', branch, git(remote, 'commit-tree', tree, '-p', branch, '-m', 'forged').trim());
}

slowSuite('a sync that is killed', () => {
  test.each(['sync.written', 'sync.pulled', 'sync.push', 'sync.pushed'])(
    'at %s loses and doubles nothing',
    async (point) => {
      const devices = new Devices(plain);
      const [one, two] = [devices.first, devices.add()];
      await ready(devices);
      await record(one, 'bilby');
      await record(two, 'dunnart', 's2');
      for (const home of [one, two]) await home.ask({ op: 'drain' });
      await devices.sync(two);
      const killed = await one.memd(['sync'], { env: { MEMD_FAULTS: `${point}@1=kill` } });
      expect(killed.code).not.toBe(0);
      await devices.sync(one);
      await devices.sync(two);
      await devices.sync(one);
      expect(memories(one)).toEqual(memories(two));
      expect(memories(one)).toHaveLength(2);
    },
  );
});

slowTest('with sync.auto, what was captured is on the remote after a session has paused', async () => {
  const devices = new Devices({ ...plain, 'sync.auto': true });
  const home = devices.first;
  await home.start({ env: { MEMD_FAULTS: 'sync.auto.ms=1' } });
  await record(home, 'echidna');
  await home.ask({ op: 'rest', session: 's1' });
  expect(devices.branch()).toBe('');
  await devices.sync(home, 'init', devices.remote);
  await home.ask({ op: 'rest', session: 's1' });
  await until('the branch', () => devices.branch() !== '' && devices.tip().includes('echidna'));
});

slowTest('without init no git with a network runs, and memd sync says so', async () => {
  const home = new Devices(plain).first;
  await home.start();
  await record(home, 'quoll');
  const log = path.join(home.folder, 'git.log');
  const bin = path.join(home.folder, 'bin');
  fs.mkdirSync(bin);
  fs.writeFileSync(path.join(bin, 'git'), `#!/bin/sh\necho "$@" >> ${log}\nexit 1\n`, { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env.PATH}` };
  const refused = await home.memd(['sync'], { env });
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/sync is off.*memd sync init/) });
  await home.memd(['sync', 'status'], { env });
  await home.memd(['restart'], { env });
  const ran = fs.existsSync(log) ? fs.readFileSync(log, 'utf8') : '';
  expect(ran).not.toMatch(/fetch|push|ls-remote|clone/);
});

/** A commit with names, sizes and contents that memd does not write. */
function garbageIn({ remote }: Devices): string {
  const blob = (text: string): string => {
    const file = path.join(remote, 'blob');
    fs.writeFileSync(file, text);
    return git(remote, 'hash-object', '-w', file).trim();
  };
  const id = 'ab'.repeat(16);
  const head = (device: string, version = 1): string =>
    JSON.stringify({ format: 'memd-sync', version, device, author: 'me@example.com\u001b[31m' });
  const files = [
    ['README', blob('x')],
    [`devices/${id}/00000001.ndjson`, blob('not json')],
    [`devices/${id}/00000002.ndjson`, blob(`${head('cd'.repeat(16))}\n`)],
    [`devices/${id}/00000003.ndjson`, blob('x'.repeat(9 * 1024 * 1024))],
    [
      `devices/${id}/00000004.ndjson`,
      blob(`${head(id)}\n{"type":"event"}\n[]\n"x"\n{"type":"pin","key":"e:x","pinned":true,"ms":9e15}\n`),
    ],
    [`devices/../../00000001.ndjson`, blob('x')],
    [`devices/${id}/hooks/post-update`, blob('x')],
    ['keys/x.age', blob('x')],
  ].filter(([name]) => !name?.includes('..'));
  const index = path.join(remote, 'garbage.index');
  const env = { ...process.env, GIT_INDEX_FILE: index };
  for (const [name = '', oid = ''] of files)
    execFileSync('git', ['update-index', '--add', '--cacheinfo', `100644,${oid},${name}`], {
      cwd: remote,
      env,
    });
  const tree = execFileSync('git', ['write-tree'], { cwd: remote, env, encoding: 'utf8' }).trim();
  return git(remote, 'commit-tree', tree, '-m', 'garbage').trim();
}
