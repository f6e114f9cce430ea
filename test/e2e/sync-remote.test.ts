import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { Devices, git, memories } from '../support/devices.ts';
import { closeHomes, type Home, leftBehind } from '../support/home.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const plain = { 'sync.encrypt': false };

async function begin(home: Home, remote: string): Promise<void> {
  await home.start();
  await home.capture({ tool: 'Bash', input: { command: 'make' }, output: 'built', sessionId: 's1' });
  await home.memd(['sync', 'init', remote]);
}

const names =
  'pre-receive update post-receive post-update reference-transaction proc-receive pre-auto-gc push-to-checkout';

/** Programs that a repository brings; each leaves its name in `mark`. */
const traps: Readonly<Record<string, (remote: string, mark: string) => void>> = {
  hooks: (remote, mark) => layHooks(path.join(remote, 'hooks'), mark),
  'core.hooksPath': (remote, mark) => {
    layHooks(path.join(remote, 'other'), mark);
    git(remote, 'config', 'core.hooksPath', path.join(remote, 'other'));
  },
  'core.alternateRefsCommand': (remote, mark) => {
    git(path.dirname(remote), 'init', '-q', '--bare', `${remote}.other`);
    fs.writeFileSync(path.join(remote, 'objects/info/alternates'), `${remote}.other/objects\n`);
    git(remote, 'config', 'core.alternateRefsCommand', `echo alternates >> ${mark}; true`);
  },
  'a filter of a branch that is checked out': (remote, mark) => {
    git(remote, 'config', 'core.bare', 'false');
    git(remote, 'config', 'core.worktree', path.dirname(remote));
    git(remote, 'config', 'receive.denyCurrentBranch', 'updateInstead');
    git(remote, 'config', 'filter.x.smudge', `echo smudge >> ${mark}; cat`);
    fs.writeFileSync(path.join(remote, 'info/attributes'), '* filter=x\n');
  },
  'a promised object': (remote, mark) => {
    git(remote, 'config', 'core.repositoryFormatVersion', '1');
    git(remote, 'config', 'extensions.partialClone', 'origin');
    git(remote, 'config', 'remote.origin.url', `ext::sh -c 'echo ext >> ${mark}'`);
    git(remote, 'config', 'protocol.ext.allow', 'always');
  },
};

function layHooks(folder: string, mark: string): void {
  fs.mkdirSync(folder, { recursive: true });
  for (const name of names.split(' '))
    fs.writeFileSync(path.join(folder, name), `#!/bin/sh\necho ${name} >> ${mark}\n`, { mode: 0o755 });
}

describe('a remote that is a path', () => {
  test.each(Object.keys(traps))('brings no program that runs: %s', async (name) => {
    const devices = new Devices(plain);
    const [one, two] = [devices.first, devices.add()];
    const mark = path.join(one.folder, 'ran');
    traps[name]?.(devices.remote, mark);
    // A plain push runs the hooks.
    if (name.includes('ooks')) {
      git(one.project, 'push', '-q', devices.remote, 'HEAD:refs/heads/plain');
      expect(fs.readFileSync(mark, 'utf8')).toContain('pre-receive');
      fs.rmSync(mark);
    }
    await begin(one, devices.remote);
    await devices.sync(one);
    await begin(two, `file://${devices.remote}`);
    await devices.sync(two);
    await devices.sync(one);
    await devices.sync(one, '--purge');
    expect(memories(one)).toHaveLength(2);
    expect(fs.existsSync(mark)).toBe(false);
    expect(fs.existsSync(path.join(one.workspace().folder, 'sync/gate.git'))).toBe(false);
  });

  test('may be a repository with a working tree; one that others of a group write stays theirs to write', async () => {
    const devices = new Devices(plain);
    const home = devices.first;
    const shared = path.join(home.folder, 'shared');
    git(home.folder, 'init', '-q', '--shared=group', shared);
    await begin(home, shared);
    await devices.sync(home);
    const ref = path.join(shared, '.git', git(shared, 'for-each-ref', '--format=%(refname)').trim());
    for (const file of [ref, path.dirname(ref)]) expect(fs.statSync(file).mode & 0o020).toBe(0o020);
  });

  test('is refused in words when it is gone, or when a name of the settings leads to it', async () => {
    const devices = new Devices(plain);
    const home = devices.first;
    await begin(home, path.join(home.folder, 'nowhere'));
    expect(await home.memd(['sync'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/does not exist/),
    });
    fs.writeFileSync(path.join(home.home, '.gitconfig'), `[url "${home.folder}/"]\n  insteadOf = work:\n`);
    const mark = path.join(home.folder, 'ran');
    layHooks(path.join(devices.remote, 'hooks'), mark);
    await devices.sync(home, 'init', 'work:memory.git');
    expect(await home.memd(['sync'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/not allowed/),
    });
    expect(fs.existsSync(mark)).toBe(false);
  });
});

const secret = 'Qz8vLm2RtYw4Kp6';
const held = [
  `https://${secret}@example.com/x.git`,
  `https://${secret}:@example.com/x.git`,
  `https://kim:${secret}@example.com/x.git`,
  `HTTPS://kim:${secret}@example.com/x.git`,
  `https://kim%3A${secret}%40example.com/x.git`,
  `https://example.com/x.git?token=${secret}`,
  `https://example.com/x.git#access_token=${secret}`,
  `https://example.com/x.git%3Fprivate_token=${secret}`,
  `https://example.com/token=${secret}/x.git`,
  `ssh://git:${secret}@example.com/x.git`,
  `ssh://kim:${secret.slice(0, 6)}/${secret}@example.com/x.git`,
  `git://${secret}@example.com/x.git`,
  `kim:${secret}@example.com:x.git`,
  `kim:${secret}@example.com/x.git`,
  `kim:a/${secret}@example.com:x.git`,
  `git@example.com:x.git?token=${secret}`,
];

describe('a credential in an address', () => {
  test('is not repeated by what says that a command line is wrong', async () => {
    const home = new Devices(plain).first;
    const address = `https://kim:${secret}@example.com/x.git`;
    const lines = [
      [address],
      ['sync', address],
      ['sync', 'pull', address],
      ['sync', 'init', `--remote=${address}`],
    ];
    for (const args of [
      ...lines,
      ['sync', 'init', 'a', address],
      ['sync', 'init', '/x', '--project', address],
    ]) {
      const { code, stdout, stderr } = await home.memd(args);
      expect([args, code === 0, (stdout + stderr).includes(secret)]).toEqual([args, false, false]);
    }
  });

  test('is refused at init and from sync.remote, in words that name the helper and do not repeat it', async () => {
    const devices = new Devices(plain);
    const home = devices.first;
    for (const address of held) {
      const { code, stdout, stderr } = await home.memd(['sync', 'init', address]);
      expect([address, code]).toEqual([address, 1]);
      expect(stderr).toMatch(/credential helper/);
      expect(stdout + stderr).not.toContain(secret);
    }
    home.configure({ ...plain, 'sync.remote': held[0] ?? '' });
    const { code, stdout, stderr } = await home.memd(['sync']);
    expect([code, stdout, stderr.includes(secret)]).toEqual([1, '', false]);
    for (const address of [
      'git@example.com:me/memory.git',
      'example.com:me/a@b.git',
      'ssh://git@example.com:2222/~kim/memory.git',
      'https://example.com:8443/me/memory.git',
      'ssh://[::1]/memory.git',
    ])
      expect(await home.memd(['sync', 'init', address])).toMatchObject({ code: 0 });
  });

  test('that an earlier version kept is neither shown nor used, and doctor says what to do', async () => {
    const devices = new Devices(plain);
    const home = devices.first;
    await begin(home, 'https://example.com/x.git');
    const file = path.join(home.workspace().folder, 'sync/sync.json');
    const record = JSON.parse(fs.readFileSync(file, 'utf8'));
    const failure = { at: '2026-01-01T00:00:00.000Z', what: `${held[2]} refused` };
    fs.writeFileSync(file, JSON.stringify({ ...record, remote: held[2], failure }));
    const said: string[] = [];
    for (const args of [['sync', 'status'], ['sync', 'status', '--json'], ['sync'], ['doctor'], ['info']]) {
      const { stdout, stderr } = await home.memd(args);
      said.push(stdout + stderr);
    }
    expect(said.join('\n')).not.toContain(secret);
    expect(said[2]).toMatch(/credential helper/);
    expect(said[3]).toMatch(/memd sync init ADDRESS/);
    expect(fs.readFileSync(file, 'utf8')).not.toContain(secret);
  });
});
