import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { ask } from '../support/wire.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

function git(cwd: string, ...args: string[]): void {
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' };
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...who, '-c', 'protocol.file.allow=always', ...args], { cwd, env, stdio: 'pipe' });
}

function commit(folder: string, name: string): void {
  fs.writeFileSync(path.join(folder, name), name);
  git(folder, 'add', '.');
  // Two of one second with the same author, files and message would be one commit.
  git(folder, 'commit', '-qm', `${name} in ${path.basename(folder)}`);
}

/** Folders next to each other in one home. */
class Places {
  #uses = 0;
  readonly home = Home.open({ env: { MEMD_DRAIN_BACKEND: 'builtin' } });

  at(name: string): string {
    return path.join(this.home.folder, name);
  }

  /** A repository with two commits, or a folder without git. */
  make(name: string, isGit = true): string {
    const folder = this.at(name);
    fs.mkdirSync(folder);
    if (isGit) {
      git(folder, 'init', '-q');
      commit(folder, 'one');
      commit(folder, 'two');
    } else {
      // What makes a folder without git a project.
      fs.mkdirSync(path.join(folder, '.memd'));
    }
    return folder;
  }

  /** Starts the daemon of a folder; returns what it said. */
  async start(name: string, env: Record<string, string> = {}): Promise<string> {
    const { code, stderr } = await this.home.memd(['start'], { cwd: this.at(name), env });
    if (code !== 0) throw new Error(stderr);
    return stderr;
  }

  async stop(name: string): Promise<void> {
    await this.home.memd(['stop'], { cwd: this.at(name) });
  }

  async capture(name: string, id: string): Promise<void> {
    const { socket } = this.home.workspace(this.at(name));
    await ask(socket, { op: 'capture', tool: 'Read', input: { file_path: 'a' }, output: id, toolUseId: id });
  }

  /** The ids of the calls in the memory of a folder, whose daemon runs. */
  async events(name: string): Promise<string[]> {
    const file = this.home.workspace(this.at(name)).folder;
    const { socket } = this.home.workspace(this.at(name));
    await ask(socket, { op: 'drain' });
    const { summaries } = (await ask(socket, { op: 'recent', limit: 50 })) as {
      summaries: { toolUseId: string }[];
    };
    expect(fs.existsSync(path.join(file, 'adopted'))).toBe(false);
    return summaries.map(({ toolUseId }) => toolUseId).sort();
  }

  /** A folder with one event in its memory, whose identity is recorded and whose daemon is stopped. */
  async remembered(name: string, isGit = true): Promise<string> {
    const folder = this.make(name, isGit);
    await this.used(name);
    return folder;
  }

  async used(name: string): Promise<void> {
    await this.start(name);
    this.#uses += 1;
    await this.capture(name, this.#uses === 1 ? `of ${name}` : `of ${name}, ${this.#uses}`);
    await this.events(name);
    // Its identity is written in the background.
    const record = path.join(this.home.workspace(this.at(name)).folder, 'identity.json');
    await expect.poll(() => fs.existsSync(record)).toBe(true);
    await this.stop(name);
  }

  rename(from: string, to: string): void {
    fs.renameSync(this.at(from), this.at(to));
  }

  /** Like a move to another disk: another inode. */
  moveByCopy(from: string, to: string): void {
    fs.cpSync(this.at(from), this.at(to), { recursive: true });
    fs.rmSync(this.at(from), { recursive: true });
  }

  clone(from: string, to: string, ...options: string[]): void {
    git(this.home.folder, 'clone', '-q', ...options, `file://${this.at(from)}`, this.at(to));
  }
}

type Story = (places: Places) => Promise<void>;

/** What is done after project `a` got its memory; then `b` is opened. */
const adopted: Record<string, Story> = {
  'a renamed repository': async (on) => on.rename('a', 'b'),
  'a renamed one whose history was rewritten since': async (on) => {
    on.rename('a', 'b');
    git(on.at('b'), 'checkout', '-q', '--orphan', 'other');
    git(on.at('b'), 'commit', '-qm', 'another beginning');
  },
  'a renamed one next to a living clone': async (on) => {
    on.clone('a', 'c');
    on.rename('a', 'b');
    expect(await on.start('c')).not.toContain('came with it');
    expect(await on.events('c')).toEqual([]);
    await on.stop('c');
  },
  'one that moved to another disk': async (on) => on.moveByCopy('a', 'b'),
  'one that moved with the folder above it': async (on) => {
    fs.mkdirSync(on.at('up'));
    on.rename('a', 'up/b');
    on.rename('up/b', 'b');
  },
  'one whose hooks came first': async (on) => {
    on.rename('a', 'b');
    const call = {
      tool_name: 'Read',
      tool_input: { file_path: 'a' },
      tool_response: 'x',
      tool_use_id: 'spooled',
    };
    await on.home.hook({ ...call, cwd: on.at('b'), session_id: 's' }, { cwd: on.at('b') });
  },
  'one whose daemon still runs at the former path': async (on) => {
    await on.start('a');
    await on.capture('a', 'of a too');
    on.rename('a', 'b');
  },
};

const notAdopted: Record<string, Story> = {
  'a clone': async (on) => on.clone('a', 'b'),
  'a copy': async (on) => fs.cpSync(on.at('a'), on.at('b'), { recursive: true }),
  'a fork of it': async (on) => {
    on.clone('a', 'b');
    commit(on.at('b'), 'three');
  },
  'a clone that was there before the project was removed': async (on) => {
    on.clone('a', 'b');
    await on.used('a');
    fs.rmSync(on.at('a'), { recursive: true });
  },
  'another project of the same template': async (on) => {
    on.clone('a', 't');
    commit(on.at('a'), 'only here');
    await on.used('a');
    fs.rmSync(on.at('a'), { recursive: true });
    on.clone('t', 'b');
  },
  'a shallow clone': async (on) => {
    on.clone('a', 'b', '--depth', '1');
    fs.rmSync(on.at('a'), { recursive: true });
  },
  'an unrelated project': async (on) => {
    fs.rmSync(on.at('a'), { recursive: true });
    on.make('b');
    commit(on.at('b'), 'other');
  },
  'a project with a submodule of it': async (on) => {
    on.make('b');
    commit(on.at('b'), 'other');
    git(on.at('b'), 'submodule', '--quiet', 'add', `file://${on.at('a')}`, 'sub');
  },
};

describe('a project that is now at another path', () => {
  test.each(Object.entries(adopted))('keeps its memory: %s', async (what, story) => {
    const on = new Places();
    await on.remembered('a');
    await story(on);
    const said = await on.start('b');
    expect(said).toContain(`this project was moved here from ${on.at('a')}, and its memory came with it`);
    const events = await on.events('b');
    expect(events).toContain('of a');
    if (what.includes('hooks')) expect(events).toContain('spooled');
    if (what.includes('daemon')) expect(events).toContain('of a too');
    await on.stop('b');
    expect(await on.start('b')).not.toContain('came with it');
    expect(await on.events('b')).toEqual(events);
  });

  test('a clone of a removed project says that it took the memory, and the line undoes it', async () => {
    const on = new Places();
    await on.remembered('a');
    git(on.home.folder, 'clone', '-q', on.at('a'), on.at('b'));
    fs.rmSync(on.at('a'), { recursive: true });
    const said = await on.start('b');
    const [, undo = ''] = /undo that: `(.*)`/.exec(said) ?? [];
    const [make = '', , take = ''] = undo.split(' && ');
    execFileSync('sh', ['-c', make]);
    expect(await on.home.memd(take.split(' ').slice(1), { cwd: on.at('a') })).toMatchObject({ code: 0 });
    await on.start('a');
    expect(await on.events('a')).toEqual(['of a']);
    expect(await on.start('b')).not.toContain('came with it');
    expect(await on.events('b')).toEqual([]);
  });

  test('keeps it without git', async () => {
    const on = new Places();
    await on.remembered('a', false);
    on.rename('a', 'b');
    expect(await on.start('b')).toContain('came with it');
    expect(await on.events('b')).toEqual(['of a']);
    // What is made at the former path starts with an empty memory.
    on.make('a', false);
    expect(await on.start('a')).not.toContain('came with it');
    expect(await on.events('a')).toEqual([]);
  });

  test.each(Object.entries(notAdopted))('is not taken for one: %s', async (_, story) => {
    const on = new Places();
    await on.remembered('a');
    const { database } = on.home.workspace(on.at('a'));
    await story(on);
    expect(await on.start('b')).not.toContain('came with it');
    expect(await on.events('b')).toEqual([]);
    expect(fs.existsSync(database)).toBe(true);
  });

  test('a worktree shares the memory of its repository, also after that was renamed', async () => {
    const on = new Places();
    await on.remembered('a');
    git(on.at('a'), 'worktree', 'add', '-q', on.at('w'));
    on.rename('a', 'b');
    git(on.at('b'), 'worktree', 'repair', on.at('w'));
    expect(await on.start('w')).toContain('came with it');
    expect(await on.events('b')).toEqual(['of a']);
  });

  test('two memories that it may be: none is taken, and the command is named', async () => {
    const on = new Places();
    await on.remembered('a');
    on.clone('a', 'c');
    await on.used('c');
    on.clone('a', 'd');
    for (const name of ['a', 'c']) fs.rmSync(on.at(name), { recursive: true });
    on.moveByCopy('d', 'b');
    const said = await on.start('b');
    expect(said).toContain('nothing was joined');
    expect(said).toContain('memd adopt PATH');
    expect(await on.events('b')).toEqual([]);
    const { code, stdout } = await on.home.memd(['adopt', on.at('c')], { cwd: on.at('b') });
    expect([code, stdout]).toEqual([0, `The memory of ${on.at('c')} is now the memory of this project.\n`]);
    expect(await on.events('b')).toEqual(['of c, 2']);
  });

  test('two sessions that start at once, a full disk and a kill at any point leave one memory with every event', async () => {
    const on = new Places();
    await on.remembered('a');
    on.rename('a', 'b');
    for (const fault of ['adopt.renamed@1=kill', 'adopt.file@1=enospc', 'adopt.file@1=kill'])
      await on.home.memd(['start'], { cwd: on.at('b'), env: { MEMD_FAULTS: fault } });
    await Promise.all(['1', '2', '3'].map(() => on.start('b')));
    expect(await on.events('b')).toEqual(['of a']);
  });
});

describe('by hand', () => {
  test('a copy leaves the memory where it was; a project with a memory gets no other', async () => {
    const on = new Places();
    await on.remembered('a');
    on.clone('a', 'b');
    const adopt = (...args: string[]) => on.home.memd(['adopt', ...args], { cwd: on.at('b') });
    expect(await adopt('--copy', on.at('a'))).toMatchObject({ code: 0 });
    expect(await on.events('b')).toEqual(['of a']);
    await on.start('a');
    expect(await on.events('a')).toEqual(['of a']);
    const refused = await adopt(on.at('a'));
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('has a memory of its own (1 events)');
    expect((await adopt(on.at('nowhere'))).stderr).toContain('has no memory');
  });

  test('all memories are listed, and those of projects that are gone can be removed', async () => {
    const on = new Places();
    await on.remembered('a');
    await on.remembered('b');
    const { database } = on.home.workspace(on.at('a'));
    fs.rmSync(on.at('a'), { recursive: true });
    const workspaces = async (...args: string[]) =>
      (await on.home.memd(['workspaces', ...args], { cwd: on.at('b') })).stdout;
    expect(JSON.parse(await workspaces('--json'))).toMatchObject({
      workspaces: [
        { path: on.at('a'), exists: false, memories: 1, isThis: false },
        { path: on.at('b'), exists: true, memories: 1, isThis: true },
      ],
    });
    expect(await workspaces()).toContain(`${on.at('a')} (gone)`);
    // A damaged one hides no other, and can be removed.
    fs.writeFileSync(database, fs.readFileSync(database).fill(0xff, 4_096, 49_152));
    expect(JSON.parse(await workspaces('--json'))).toMatchObject({
      workspaces: [{ memories: null, problem: expect.stringContaining('malformed') }, { memories: 1 }],
    });
    expect(await workspaces('--remove-gone', '--yes')).toBe('Removed 1 memory.\n');
    expect(JSON.parse(await workspaces('--json'))).toMatchObject({ workspaces: [{ path: on.at('b') }] });
  });
});
