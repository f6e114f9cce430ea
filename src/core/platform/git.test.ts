import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runGit } from './git.ts';

const limits = { timeoutMs: 10_000, bytesMax: 65_536 };
let folder: string;
let root: string;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-git-')));
  root = path.join(folder, 'project');
  fs.mkdirSync(root);
});
afterEach(() => {
  vi.unstubAllEnvs();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** A repository with a changed file that is read through a filter. Returns the file that the filter writes. */
function filtered(name: string): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root });
  git('init', '-q');
  fs.writeFileSync(path.join(root, '.gitattributes'), `*.ts filter=${name}\n`);
  fs.writeFileSync(path.join(root, 'mill.ts'), 'one\n');
  git('add', '-A');
  git('-c', 'user.name=m', '-c', 'user.email=m@m', 'commit', '-qm', 'first');
  const ran = path.join(folder, 'ran');
  fs.appendFileSync(path.join(root, '.git/config'), `[filter "${name}"]\n\tclean = touch ${ran}; cat\n`);
  fs.writeFileSync(path.join(root, 'mill.ts'), 'two\n');
  return ran;
}

/** Git before 2.31 does not read these variables. */
function olderGit(): void {
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const bin = path.join(folder, 'bin');
  fs.mkdirSync(bin);
  fs.writeFileSync(path.join(bin, 'git'), `#!/bin/sh\nunset GIT_CONFIG_COUNT\nexec ${real} "$@"\n`, {
    mode: 0o755,
  });
  vi.stubEnv('PATH', `${bin}:${process.env['PATH'] ?? ''}`);
}

test.each([
  ['plain', false, ' M mill.ts\n'],
  ['a=b', false, ' M mill.ts\n'],
  ['plain', true, ' M mill.ts\n'],
  // It cannot be emptied there: nothing is read.
  ['a=b', true, ''],
])('the filter %s does not run, with an older git: %s', async (name, isOlder, said) => {
  const ran = filtered(name);
  if (isOlder) olderGit();
  expect((await runGit(root, ['status', '--porcelain'], limits)).text).toBe(said);
  expect(fs.existsSync(ran)).toBe(false);
});
