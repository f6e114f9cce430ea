import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formerRoot, workspaceRoot } from './root.ts';

let base: string;
let home: string;

beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-root-')));
  home = folder('home');
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

function folder(...parts: string[]): string {
  const full = path.join(base, ...parts);
  fs.mkdirSync(full, { recursive: true });
  return full;
}

function git(cwd: string, ...args: string[]): void {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-c', 'protocol.file.allow=always'];
  const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync('git', [...identity, ...args], { cwd, env, stdio: 'pipe' });
}

function repository(...parts: string[]): string {
  const root = folder(...parts);
  git(root, 'init', '-q');
  git(root, 'commit', '-q', '--allow-empty', '-m', 'first');
  return root;
}

const rootOf = (cwd: string, projectDir?: string): string => workspaceRoot({ cwd, home, projectDir });

describe('workspaceRoot', () => {
  test('is the nearest folder upwards with .git or .memd', () => {
    const outer = repository('home', 'outer');
    const deep = folder('home', 'outer', 'a', 'b');
    expect(rootOf(deep)).toBe(outer);
    folder('home', 'outer', 'a', '.memd');
    expect(rootOf(deep)).toBe(path.join(outer, 'a'));
    expect(rootOf(outer)).toBe(outer);
  });

  test('is where the search starts when nothing is found', () => {
    const plain = folder('home', 'plain', 'deep');
    expect(rootOf(plain)).toBe(plain);
    const outside = folder('elsewhere', 'deep');
    expect(rootOf(outside)).toBe(outside);
  });

  test('is never HOME nor above it, unless the search starts there', () => {
    fs.mkdirSync(path.join(base, '.git'));
    fs.mkdirSync(path.join(home, '.git'));
    fs.mkdirSync(path.join(home, '.memd'));
    const below = folder('home', 'notes');
    expect(rootOf(below)).toBe(below);
    expect(rootOf(home)).toBe(home);
  });

  test('is HOME itself for a start there, though its .memd holds the memories of all', () => {
    fs.mkdirSync(path.join(home, '.memd'));
    expect(rootOf(home)).toBe(home);
  });

  // To be another user takes root.
  test.runIf(process.getuid?.() === 0)('is no folder that another user has marked, unless it is his', () => {
    const shared = folder('shared');
    const mine = folder('shared', 'mine', 'deep');
    fs.chmodSync(shared, 0o1777);
    for (const [name, make] of [
      ['.memd', fs.mkdirSync],
      ['.git', fs.mkdirSync],
      ['.git', (file: string) => fs.writeFileSync(file, 'gitdir: elsewhere')],
    ] as const) {
      const mark = path.join(shared, name);
      make(mark);
      expect(rootOf(mine), name).toBe(shared);
      fs.lchownSync(mark, 65_534, 65_534);
      expect(rootOf(mine), name).toBe(mine);
      // A repository of somebody else's as a whole: root works in it.
      fs.chownSync(shared, 65_534, 65_534);
      expect(rootOf(mine), name).toBe(shared);
      fs.chownSync(shared, 0, 0);
      fs.rmSync(mark, { recursive: true });
    }
  });

  test('goes by the project folder that the assistant names, before the current one', () => {
    const project = repository('home', 'project');
    const other = repository('home', 'other');
    expect(rootOf(other, folder('home', 'project', 'src'))).toBe(project);
    expect(rootOf(other, '')).toBe(other);
  });

  test('of a linked worktree is its main repository', () => {
    const main = repository('home', 'main');
    const linked = path.join(base, 'home', 'linked');
    git(main, 'worktree', 'add', '-q', linked);
    expect(rootOf(folder('home', 'linked', 'src'))).toBe(main);
  });

  test('of a worktree of a bare repository is that repository', () => {
    const main = repository('home', 'main');
    const bare = path.join(base, 'home', 'bare.git');
    git(base, 'clone', '-q', '--bare', main, bare);
    const linked = path.join(base, 'home', 'linked');
    git(bare, 'worktree', 'add', '-q', linked);
    expect(rootOf(linked)).toBe(bare);
  });

  test('of a submodule is the submodule', () => {
    const inner = repository('home', 'inner');
    const outer = repository('home', 'outer');
    git(outer, 'submodule', '--quiet', 'add', inner, 'lib');
    expect(rootOf(path.join(outer, 'lib'))).toBe(path.join(outer, 'lib'));
  });

  test('is a real path, however the folder was reached', () => {
    const project = repository('home', 'project');
    const link = path.join(base, 'link');
    fs.symlinkSync(project, link);
    expect(rootOf(link)).toBe(project);
  });

  test.each([
    [
      'git worktree move',
      (main: string, linked: string) => git(main, 'worktree', 'move', linked, `${linked}2`),
    ],
    [
      'mv and git worktree repair',
      (_main: string, linked: string) => {
        fs.renameSync(linked, `${linked}2`);
        git(`${linked}2`, 'worktree', 'repair');
      },
    ],
    [
      'worktree.useRelativePaths, which git 2.48 brought',
      (main: string, linked: string) => {
        fs.renameSync(linked, `${linked}2`);
        const entry = path.join(main, '.git', 'worktrees', 'linked');
        const dotGit = path.join(`${linked}2`, '.git');
        fs.writeFileSync(dotGit, `gitdir: ${path.relative(`${linked}2`, entry)}\n`);
        fs.writeFileSync(path.join(entry, 'gitdir'), `${path.relative(entry, dotGit)}\n`);
      },
    ],
  ])('of a linked worktree is still its main repository after %s', (_how, change) => {
    const main = repository('home', 'main');
    const linked = path.join(base, 'home', 'linked');
    git(main, 'worktree', 'add', '-q', linked);
    change(main, linked);
    expect(rootOf(`${linked}2`)).toBe(main);
  });

  test('of a worktree that was moved without git is the worktree: the repository does not name it', () => {
    const main = repository('home', 'main');
    const linked = path.join(base, 'home', 'linked');
    git(main, 'worktree', 'add', '-q', linked);
    fs.renameSync(linked, `${linked}2`);
    expect(rootOf(`${linked}2`)).toBe(`${linked}2`);
  });

  test('is not led astray by a .git file that points nowhere', () => {
    const odd = folder('home', 'odd');
    fs.writeFileSync(path.join(odd, '.git'), 'gitdir: /no/such/place\n');
    expect(rootOf(odd)).toBe(odd);
    fs.writeFileSync(path.join(odd, '.git'), 'not git at all');
    expect(rootOf(odd)).toBe(odd);
  });

  test('refuses a start that is missing or not a folder, with the repair', () => {
    const file = path.join(base, 'file');
    fs.writeFileSync(file, '');
    for (const start of [path.join(base, 'missing'), file]) {
      expect(() => rootOf(start)).toThrow(expect.objectContaining({ code: 'no_workspace' }));
      expect(() => rootOf(base, start)).toThrow(/CLAUDE_PROJECT_DIR/);
    }
  });
});

describe('a folder that claims the repository of another project', () => {
  /** Lays files, `->` before the target of a link, into a folder. */
  function lay(root: string, files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(root, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      if (text.startsWith('->')) fs.symlinkSync(text.slice(2), file);
      else fs.writeFileSync(file, text);
    }
  }
  const head = 'ref: refs/heads/main\n';

  /** What an archive may hold, for a victim at `main` with a worktree `linked`, unpacked at `evil`. */
  const claims: Readonly<Record<string, (main: string, evil: string) => Record<string, string>>> = {
    'a git folder of its own with commondir': (main) => ({
      '.git': 'gitdir: g\n',
      'g/HEAD': head,
      'g/commondir': `${main}/.git\n`,
    }),
    'the same, named as an entry, with a way back': (_main, evil) => ({
      '.git': 'gitdir: g/worktrees/x\n',
      'g/worktrees/x/HEAD': head,
      'g/worktrees/x/commondir': '../../../../main/.git\n',
      'g/worktrees/x/gitdir': `${evil}/.git\n`,
    }),
    'a link to the repository as the common folder': (main, evil) => ({
      '.git': 'gitdir: e/worktrees/x\n',
      e: `->${main}/.git`,
      'x/gitdir': `${evil}/.git\n`,
    }),
    'the entry of a worktree that exists': (main) => ({ '.git': `gitdir: ${main}/.git/worktrees/linked\n` }),
    'the same, relative': () => ({ '.git': 'gitdir: ../main/.git/worktrees/linked' }),
    'an entry that does not exist': (main) => ({ '.git': `gitdir: ${main}/.git/worktrees/none\n` }),
    'the git folder of the project': (main) => ({ '.git': `gitdir: ${main}/.git\n` }),
    'lines before and after': (main) => ({ '.git': `x\ngitdir: ${main}/.git/worktrees/linked\ny\n` }),
    'a .git folder with commondir': (main) => ({ '.git/HEAD': head, '.git/commondir': `${main}/.git\n` }),
    'a .git folder with core.worktree': (main) => ({
      '.git/HEAD': head,
      '.git/config': `[core]\n\tworktree = ${main}\n`,
    }),
    '.git as a link to the project': (main) => ({ '.git': `->${main}/.git` }),
    ".git as a link to the worktree's": (main) => ({ '.git': `->${path.dirname(main)}/linked/.git` }),
    '.memd as a link to the project': (main) => ({ '.memd': `->${main}` }),
    '.memd as a file that names it': (main) => ({ '.memd': main }),
    'links in the place of the files': (main, evil) => ({
      '.git': 'gitdir: g\n',
      'g/HEAD': head,
      'g/commondir': `->${main}/.git/worktrees/linked/commondir`,
      'g/gitdir': `->${main}/.git/worktrees/linked/gitdir`,
      x: `->${evil}`,
    }),
    'more text than a path has': (main) => ({ '.git': `gitdir: ${'./'.repeat(1e6)}../main/.git${main}` }),
    'a byte that is in no path': (main) => ({ '.git': `gitdir: ${main}/.git/worktrees/linked\0` }),
  };

  test.each(Object.entries(claims))('has a workspace of its own: %s', (_name, claim) => {
    const main = repository('home', 'main');
    git(main, 'worktree', 'add', '-q', path.join(base, 'home', 'linked'));
    const evil = folder('home', 'evil');
    lay(evil, claim(main, evil));
    expect(rootOf(evil)).toBe(evil);
    expect(formerRoot({ cwd: evil, home })).toBe(evil);
  });

  test('has a workspace of its own when it is unpacked where a folder `worktrees` is', () => {
    const evil = folder('home', 'src', 'worktrees', 'evil');
    lay(evil, { '.git': 'gitdir: .', HEAD: head, commondir: '../..', gitdir: '.git' });
    expect(rootOf(evil)).toBe(evil);
  });

  test
    .runIf(process.getuid?.() === 0)
    .each(['linked/.git', 'main/.git/worktrees/linked/commondir', 'main/.git/worktrees/linked/gitdir'])(
    'has a workspace of its own when %s is another user’s',
    (name) => {
      const main = repository('home', 'main');
      const linked = path.join(base, 'home', 'linked');
      git(main, 'worktree', 'add', '-q', linked);
      fs.chownSync(path.join(home, name), 12_345, 12_345);
      expect(rootOf(linked)).toBe(linked);
    },
  );
});

describe('the root of a recorded folder', () => {
  const former = (cwd: string): string => formerRoot({ cwd, home });

  test('is the hook’s root while it exists', () => {
    const project = repository('home', 'src');
    const nested = repository('home', 'src', 'nested');
    const below = folder('home', 'src', 'a', 'b');
    const neighbour = folder('home', 'src-evil');
    git(project, 'worktree', 'add', '-q', path.join(base, 'linked'));
    fs.symlinkSync(project, path.join(base, 'link'));
    for (const cwd of [project, below, path.join(base, 'linked'), path.join(base, 'link', 'a')])
      expect(former(cwd)).toBe(project);
    for (const cwd of [nested, neighbour]) expect(former(cwd)).toBe(cwd);
  });

  test('is that of what is left above it when it is gone, and its own name when nothing there is a project', () => {
    const project = repository('home', 'src');
    expect(former(path.join(project, 'gone', 'deep'))).toBe(project);
    expect(former(path.join(home, 'gone'))).toBe(path.join(home, 'gone'));
    expect(former(path.join(`${project}-evil`, 'x'))).toBe(path.join(`${project}-evil`, 'x'));
    fs.symlinkSync(project, path.join(base, 'link'));
    expect(former(path.join(base, 'link', 'gone'))).toBe(project);
  });
});
