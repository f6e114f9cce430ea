import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { throughGate } from './gate.ts';

let folder: string;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-gate-test-')));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
const used = (name: string): Promise<string> =>
  throughGate(path.join(folder, name), path.join(folder, 'gate.git'), async (gate) =>
    fs.realpathSync(path.join(gate, 'objects')),
  );

test('a bare and a plain repository are used, each by its path', async () => {
  git('init', '-q', '--bare', 'bare.git');
  git('init', '-q', 'plain');
  expect(await used('bare.git')).toBe(path.join(folder, 'bare.git/objects'));
  expect(await used('bare')).toBe(path.join(folder, 'bare.git/objects'));
  expect(await used('plain')).toBe(path.join(folder, 'plain/.git/objects'));
  expect(fs.existsSync(path.join(folder, 'gate.git'))).toBe(false);
});

test('what is no repository is refused in words that say what it is', async () => {
  git('init', '-q', 'main');
  git('-C', 'main', 'commit', '-q', '--allow-empty', '-m', 'x');
  git('-C', 'main', 'worktree', 'add', '-q', '../linked');
  fs.mkdirSync(path.join(folder, 'sub'));
  fs.writeFileSync(path.join(folder, 'sub/.git'), 'gitdir: ../main/.git/modules/sub\n');
  fs.writeFileSync(path.join(folder, 'file'), 'x');
  fs.mkdirSync(path.join(folder, 'empty'));
  fs.symlinkSync('loop', path.join(folder, 'loop'));
  const said = [
    ['linked', 'it is a linked worktree or a submodule'],
    ['sub', 'it is a linked worktree or a submodule'],
    ['file', 'it is not a git repository'],
    ['empty', 'it is not a git repository'],
    ['file/below', 'it does not exist'],
    ['nowhere', 'it does not exist'],
    ['loop', 'ELOOP'],
  ] as const;
  for (const [name, why] of said) {
    const failure = await used(name).catch((error: unknown) => error);
    expect([name, String(failure)]).toEqual([name, expect.stringContaining(why)]);
    expect(failure).toMatchObject({ code: 'sync_remote' });
  }
});
