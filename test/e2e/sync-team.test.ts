import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { Devices, git, memories } from '../support/devices.ts';
import { closeHomes, type Home, leftBehind } from '../support/home.ts';
import { wholeSession } from '../support/whole-session.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const plain = { 'sync.encrypt': false };

async function record(home: Home, name: string, session: string): Promise<string> {
  const call = { tool: 'Bash', input: { command: `echo ${name}` }, output: `the word ${name}` };
  return home.capture({ ...call, sessionId: session, toolUseId: `call-${name}` });
}

async function idOf(home: Home, event: string): Promise<number> {
  return Number(home.rows('SELECT id FROM summaries WHERE event_id = ?', event)[0]?.id);
}

function secretFile(home: Home, name: string, text: string): string {
  const file = path.join(home.folder, name);
  fs.writeFileSync(file, `${text}\n`, { mode: 0o600 });
  return file;
}

async function ready(devices: Devices, ...options: string[]): Promise<void> {
  for (const home of devices.all) {
    await home.start();
    await devices.sync(home, 'init', devices.remote, ...options);
  }
}

describe('someone who has left', () => {
  test('memd sync forget-author: asked for, into a restore file, never imported again, also on the other device; --undo', async () => {
    const devices = new Devices({ 'sync.trust': ['bob@example.com'] });
    const [one, two, bob] = [devices.first, devices.add(), devices.add('bob@example.com')];
    await ready(devices, '--passphrase-file', secretFile(devices.first, 'pass', 'correct horse'));
    const own = await record(one, 'kakapo', 'session-of-me');
    await one.ask({ op: 'drain' });
    await devices.sync(one);
    await record(bob, 'tuatara', 'session-of-bob');
    await bob.ask({ op: 'drain' });
    await devices.sync(bob);
    await bob.ask({ op: 'pin', id: await idOf(bob, own) });
    await devices.sync(bob);
    for (const home of [one, two]) await devices.sync(home);
    expect(memories(one)).toHaveLength(2);
    expect(memories(two)).toEqual(memories(one));
    // Nobody answers the question.
    const asked = await one.memd(['sync', 'forget-author', 'bob@example.com']);
    expect(asked).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /1 call, 0 messages, \d digests?, 1 pin[\s\S]*import nothing more of bob@example\.com\? \[y\/N\]/,
      ),
    });
    expect(memories(one)).toHaveLength(2);
    const said = await devices.sync(one, 'forget-author', 'bob@example.com', '--yes');
    expect(said).toMatch(/Removed 1 memory of bob@example\.com/);
    expect(said).toMatch(/sync\.trust in \S+config\.json still names bob@example\.com/);
    const left = JSON.stringify(memories(one));
    expect(left).toMatch(/kakapo/);
    expect(left).not.toMatch(/tuatara|"pinned":1/);
    const [, file = ''] = /they are in (\S+) for 30 days/.exec(said) ?? [];
    expect(fs.readFileSync(file, 'utf8')).toContain('tuatara');

    await record(bob, 'kiwi', 'session-of-bob');
    await bob.ask({ op: 'drain' });
    await devices.sync(bob);
    await devices.sync(one);
    expect(await devices.sync(two)).toMatch(/restore-/);
    for (const home of [one, two]) expect(memories(home)).toEqual(memories(one));
    expect(memories(two)).toHaveLength(1);
    expect(memories(bob)).toHaveLength(3);

    await devices.sync(one, 'forget-author', 'bob@example.com', '--undo');
    for (const home of [one, two]) await devices.sync(home);
    expect(one.rows('SELECT author FROM events WHERE is_foreign <> 0')).toEqual(
      Array.from({ length: 2 }, () => ({ author: 'bob@example.com' })),
    );
    expect(memories(two)).toEqual(memories(one));
    const self = await one.memd(['sync', 'forget-author', 'me@example.com', '--yes']);
    expect(self).toMatchObject({ code: 2, stderr: expect.stringMatching(/is you/) });
  });
});

test('recipients: the identity opens it, another one does not, and nothing readable leaves', async () => {
  const [identity, other] = [await generateX25519Identity(), await generateX25519Identity()];
  const devices = new Devices({ 'sync.recipients': [await identityToRecipient(identity)] });
  const [one, two] = [devices.first, devices.add()];
  await ready(devices, '--identity-file', secretFile(devices.first, 'key.txt', `# mine\n${identity}`));
  await record(one, 'platypus', 's1');
  await one.ask({ op: 'drain' });
  await devices.sync(one);
  expect(devices.tip()).not.toMatch(/platypus|echo|example\.com/);
  await devices.sync(two, 'init', devices.remote, '--identity-file', secretFile(two, 'other.txt', other));
  expect(await devices.sync(two)).toMatch(/1 segment: is encrypted with another key/);
  expect(memories(two)).toEqual([]);
  await devices.sync(two, 'init', devices.remote, '--identity-file', secretFile(two, 'key.txt', identity));
  await devices.sync(two);
  expect(memories(two)).toEqual(memories(one));
});

test('a segment of a newer format is refused in words; the rest comes in, and stays', async () => {
  const devices = new Devices(plain);
  const [one, two] = [devices.first, devices.add()];
  await ready(devices);
  await record(one, 'numbat', 's1');
  await devices.sync(one);
  const newer = { format: 'memd-sync', version: 2, device: 'ef'.repeat(16), sealed: 'somehow' };
  const name = `devices/${newer.device}/00000001.ndjson`;
  push(devices, name, `${JSON.stringify(newer)}\n{"type":"what"}\n`);
  const ran = await two.memd(['sync']);
  expect(ran).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/1 segment: was written by a newer memd.*untouched.*Install/),
  });
  expect(memories(two)).toEqual(memories(one));
  await record(two, 'bilby', 's2');
  await two.memd(['sync']);
  await one.memd(['sync']);
  expect(memories(one)).toEqual(memories(two));
  expect(memories(one)).toHaveLength(2);
  expect(git(devices.remote, 'ls-tree', '-r', '--name-only', devices.branch())).toContain(name);
});

test('without init, a whole session runs git only on the disk', { timeout: 240_000 }, async () => {
  const home = new Devices(plain).first;
  const log = path.join(home.folder, 'git.log');
  const bin = path.join(home.folder, 'bin');
  fs.mkdirSync(bin);
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh\necho "$*" >> '${log}'\nexec '${real}' "$@"\n`;
  fs.writeFileSync(path.join(bin, 'git'), script, { mode: 0o755 });
  await wholeSession(home, { PATH: `${bin}:${process.env.PATH}` });
  // Not empty, or what follows says nothing.
  expect(fs.readFileSync(log, 'utf8')).toMatch(/rev-list|rev-parse|ls-files|log/);
  expect(fs.readFileSync(log, 'utf8')).not.toMatch(
    /\b(?:fetch|pull|push|clone|ls-remote|remote|fetch-pack|send-pack|archive --remote)\b/,
  );
});

test('captures are stored while a sync runs', async () => {
  const devices = new Devices(plain);
  const [one, two] = [devices.first, devices.add()];
  await ready(devices);
  await record(one, 'before', 's1');
  const syncing = devices.sync(one);
  let isOver = false;
  void syncing.finally(() => {
    isOver = true;
  });
  let count = 0;
  do {
    count += 1;
    await record(one, `meanwhile-${count}`, 's1');
  } while (!isOver);
  await syncing;
  await devices.sync(one);
  await devices.sync(two);
  expect(memories(two)).toEqual(memories(one));
  expect(memories(two)).toHaveLength(1 + count);
});

/** Puts one more file on the branch, as anyone who can write to the remote can. */
function push({ remote }: Devices, name: string, text: string): void {
  const branch = git(remote, 'for-each-ref', '--format=%(refname)').trim();
  const env = { ...process.env, GIT_INDEX_FILE: path.join(remote, 'pushed.index') };
  const local = (input: string, ...args: string[]) =>
    execFileSync('git', args, { cwd: remote, env, input, encoding: 'utf8' }).trim();
  local('', 'read-tree', branch);
  const blob = local(text, 'hash-object', '-w', '--stdin');
  local('', 'update-index', '--add', '--cacheinfo', `100644,${blob},${name}`);
  const commit = git(remote, 'commit-tree', local('', 'write-tree'), '-p', branch, '-m', 'more').trim();
  git(remote, 'update-ref', branch, commit);
}

test('memd doctor says that a sync failed and what the next one lacks; memd uninstall --all leaves no copy and no place of a key', async () => {
  const devices = new Devices({});
  const home = devices.first;
  const passphrase = secretFile(home, 'pass', 'correct horse');
  await ready(devices, '--passphrase-file', passphrase);
  await record(home, 'potoroo', 's1');
  await home.ask({ op: 'drain' });
  await devices.sync(home);
  const findings = async (): Promise<string> => {
    const { findings: found } = JSON.parse((await home.memd(['doctor', '--json'])).stdout);
    return JSON.stringify(found.filter(({ code }: { code: string }) => code === 'sync'));
  };
  expect(await findings()).toBe('[]');
  fs.renameSync(devices.remote, `${devices.remote}.away`);
  expect((await home.memd(['sync'])).code).toBe(1);
  expect(await findings()).toMatch(/the last `memd sync` failed.*run `memd sync`/);
  fs.renameSync(`${devices.remote}.away`, devices.remote);
  await devices.sync(home);
  fs.rmSync(passphrase);
  expect(await findings()).toContain(passphrase);

  const { folder } = home.workspace();
  expect(await home.memd(['uninstall', '--all'])).toMatchObject({ code: 0, stderr: '' });
  expect(fs.readdirSync(path.join(folder, 'sync'))).toEqual(['sync.json']);
  expect(fs.readFileSync(path.join(folder, 'sync/sync.json'), 'utf8')).not.toContain(passphrase);
  await home.memd(['uninstall', '--all', '--delete-data']);
  expect(fs.existsSync(path.join(home.home, '.memd'))).toBe(false);
});
