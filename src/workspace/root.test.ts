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

describe('the root of a folder that was told of at another time', () => {
  const former = (cwd: string): string => formerRoot({ cwd, home });

  test('is what it would be told to the hook while it is there', () => {
    const project = repository('home', 'src');
    const nested = repository('home', 'src', 'nested');
    const below = folder('home', 'src', 'a', 'b');
    const beside = folder('home', 'src-evil');
    git(project, 'worktree', 'add', '-q', path.join(base, 'linked'));
    fs.symlinkSync(project, path.join(base, 'link'));
    for (const cwd of [project, below, path.join(base, 'linked'), path.join(base, 'link', 'a')])
      expect(former(cwd)).toBe(project);
    for (const cwd of [nested, beside]) expect(former(cwd)).toBe(cwd);
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
