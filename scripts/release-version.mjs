// Sets the version of a release everywhere it is written: package.json, the lock file, the plugin's manifest and the heading of
// the changelog. Called by `npm run release -- VERSION`; commits nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { root } from './ready.mjs';

const read = (file) => readFileSync(root + file, 'utf8');

export function setVersion(version) {
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version)) stop(`${version} is not a version such as 1.2.3`);
  if (git('status', '--porcelain') !== '') stop('the working tree has changes. Commit them first');
  const { version: former } = JSON.parse(read('package.json'));
  const changes = read('CHANGELOG.md');
  const heading = /^## .*\(unreleased\)$/m;
  if (!heading.test(changes)) stop('CHANGELOG.md has no heading `## VERSION (unreleased)`');
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(`${root}CHANGELOG.md`, changes.replace(heading, `## ${version} (${day})`));
  const manifest = 'plugin/.claude-plugin/plugin.json';
  const before = `"version": "${former}"`;
  if (!read(manifest).includes(before)) stop(`${manifest} does not have ${before}`);
  writeFileSync(root + manifest, read(manifest).replaceAll(before, `"version": "${version}"`));
  // Also the lock file. Without a commit and a tag: these are a person's decision.
  const quiet = ['--no-git-tag-version', '--ignore-scripts', '--allow-same-version', '--loglevel=error'];
  execFileSync('npm', ['version', version, ...quiet], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The text of a version's section in CHANGELOG.md. */
export function changesOf(version) {
  const sections = read('CHANGELOG.md').split(/^(?=## )/m);
  const own = sections.find((text) => text.split(/\s/)[1] === version);
  if (own === undefined) stop(`CHANGELOG.md has no section for ${version}`);
  const [heading, ...lines] = own.split('\n');
  return { changes: lines.join('\n').trim(), isReleased: !heading.endsWith('(unreleased)') };
}

export function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

export function stop(problem) {
  console.error(`the release was not made: ${problem}.`);
  process.exit(1);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) setVersion(process.argv[2] ?? '');
