import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../support/run.ts';
import { stage } from '../support/tarball.ts';

const version = '3.2.1';
const root = path.resolve(import.meta.dirname, '../..');

let folder: string;
let copy: string;
const release = (name: string): string => path.join(folder, name);

/** A copy of the repository as a fresh clone, in which `npm run release -- VERSION` has been run. */
beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd release ')));
  copy = path.join(folder, 'clone');
  stage(copy);
  fs.cpSync(path.join(root, '.gitignore'), path.join(copy, '.gitignore'));
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  git('init', '-q');
  fs.appendFileSync(path.join(copy, '.git/info/exclude'), 'node_modules\n');
  commit('all of it');
  lockIsInstalled();
  node('scripts/release.mjs', version, '--out', release('first'));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const node = (...args: string[]): string =>
  execFileSync(process.execPath, args, { cwd: copy, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

function git(...args: string[]): string {
  const own = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...own, ...args], { cwd: copy, encoding: 'utf8' });
}

function commit(message: string): void {
  git('add', '--all');
  git('commit', '-qm', message);
}

/** The packages are those of the lock file, whose copy is newer. */
function lockIsInstalled(): void {
  fs.utimesSync(path.join(copy, 'package-lock.json'), 0, 0);
}

const text = (...names: string[]): string => fs.readFileSync(path.join(folder, ...names), 'utf8');

test('the version is written everywhere, and nothing else is changed', () => {
  const changed = git('status', '--porcelain').split('\n').filter(Boolean);
  expect(changed.map((line) => line.slice(3)).sort()).toEqual([
    'CHANGELOG.md',
    'package-lock.json',
    'package.json',
    'plugin/.claude-plugin/plugin.json',
  ]);
  expect(text('clone/CHANGELOG.md')).toMatch(new RegExp(`^## ${version} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, 'm'));
});

test('the folder has what is published, with checksums that hold, and once more the same bytes', () => {
  const names = [
    'CHANGES.md',
    'SHA256SUMS',
    `memdaemon-${version}.cdx.json`,
    `memdaemon-${version}.tgz`,
    'plugin',
  ];
  expect(fs.readdirSync(release('first')).sort()).toEqual(names.sort());
  commit(`Release ${version}`);
  git('tag', `v${version}`);
  lockIsInstalled();
  const env = { ...process.env, SOURCE_DATE_EPOCH: '1700000000' };
  for (const name of ['second', 'third'])
    execFileSync(process.execPath, ['scripts/release.mjs', '--tag', `v${version}`, '--out', release(name)], {
      ...{ cwd: copy, env, stdio: 'ignore' },
    });
  expect(text('third/SHA256SUMS')).toBe(text('second/SHA256SUMS'));
  expect(text('second/SHA256SUMS').split('\n')[2]).toBe(text('first/SHA256SUMS').split('\n')[2]);
  const sums = process.platform === 'linux' ? ['sha256sum'] : ['shasum', '-a', '256'];
  execFileSync(sums[0] ?? '', [...sums.slice(1), '--check', 'SHA256SUMS'], {
    cwd: release('second'),
    stdio: 'ignore',
  });
});

test('the bill of materials has what is installed and what is bundled, with its licences', () => {
  const { components, metadata } = JSON.parse(text(`first/memdaemon-${version}.cdx.json`));
  expect(metadata.component).toMatchObject({ name: 'memdaemon', version });
  const names = components.map(({ name }: { name: string }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['@photostructure/sqlite', 'node-gyp-build', 'commander', 'preact', 'valibot']),
  );
  expect(names).not.toContain('vitest');
  for (const { licenses } of components) expect(licenses).not.toEqual([]);
});

test('the plugin of the release is complete: its hooks run without a build', async () => {
  const plugin = path.join(release('first'), 'plugin');
  const marketplace = JSON.parse(text('first/plugin/.claude-plugin/marketplace.json'));
  const at = path.join(plugin, marketplace.plugins[0].source);
  expect(JSON.parse(fs.readFileSync(path.join(at, '.claude-plugin/plugin.json'), 'utf8')).version).toBe(
    version,
  );
  const ran = await run(process.execPath, [path.join(at, 'dist/memd.cjs'), '--version'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder },
  });
  expect(ran).toMatchObject({ code: 0, stdout: `${version}\n` });
});

test('the workflow puts the built plugin on its branch, one commit a release', () => {
  const workflow = fs.readFileSync(path.join(root, '.github/workflows/release.yml'), 'utf8');
  const [, step = ''] = /built plugin on its branch\n.*?run: \|\n(.*?)\n {6}- name/s.exec(workflow) ?? [];
  const remote = path.join(folder, 'remote.git');
  git('init', '-q', '--bare', remote);
  const clone = path.join(folder, 'clone of the workflow');
  git('remote', 'add', 'origin', remote);
  git('push', '-q', 'origin', 'HEAD:refs/heads/main');
  for (const tag of ['v1.0.0', 'v2.0.0']) {
    git('clone', '-q', '--branch', 'main', remote, clone);
    fs.cpSync(release('first'), path.join(clone, 'release'), { recursive: true });
    fs.mkdirSync(path.join(clone, 'temporary'));
    const who = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com' };
    const env = { ...process.env, ...who, GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.com' };
    execFileSync('bash', ['-e', '-c', step], {
      cwd: clone,
      env: { ...env, GITHUB_REF_NAME: tag, RUNNER_TEMP: path.join(clone, 'temporary') },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    fs.rmSync(clone, { recursive: true });
  }
  expect(git('-C', remote, 'log', '--format=%s', 'plugin')).toBe('memd v2.0.0\nmemd v1.0.0\n');
  const files = git('-C', remote, 'ls-tree', '-r', '--name-only', 'plugin').split('\n');
  expect(files).toEqual(expect.arrayContaining(['.claude-plugin/marketplace.json', 'plugin/dist/memd.cjs']));
  expect(files).not.toContain('package.json');
});

test('npx runs the tarball in an empty home', async () => {
  const home = path.join(folder, 'home');
  fs.mkdirSync(home);
  const tarball = path.join(release('first'), `memdaemon-${version}.tgz`);
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const ran = await run(
    'npx',
    ['--yes', '--loglevel=error', '--package', tarball, 'memdaemon', '--version'],
    {
      cwd: home,
      // Where this machine's npm finds packages.
      env: { ...process.env, HOME: home, npm_config_registry: registry },
    },
  );
  expect(ran).toMatchObject({ code: 0, stdout: `${version}\n` });
});

test('a tag of another version, and changes that are not committed, are refused in words', () => {
  const refused = (...args: string[]): string => {
    try {
      execFileSync(process.execPath, ['scripts/release.mjs', ...args, '--out', release('none')], {
        ...{ cwd: copy, encoding: 'utf8', stdio: 'pipe' },
      });
    } catch (error) {
      return (error as { stderr: string }).stderr;
    }
    return '';
  };
  expect(refused('--tag', 'v9.9.9')).toMatch(/the release was not made: the tag is v9\.9\.9/);
  fs.appendFileSync(path.join(copy, 'README.md'), '\n');
  expect(refused('4.0.0')).toMatch(/the working tree has changes/);
});
