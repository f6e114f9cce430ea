// Makes a fresh clone ready: installs what the lock file names and builds, each only when it is out of date.
// Uses nothing but Node, since nothing is installed yet.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a command in the repository with its output shown; ends this process when it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

export function ensureInstalled() {
  if (changed('node_modules/.package-lock.json') >= changed('package-lock.json')) return;
  // `npm ci` empties the folder, through a link too: it would take another checkout's packages away.
  if (lstatSync(`${root}node_modules`, { throwIfNoEntry: false })?.isSymbolicLink()) {
    console.error('node_modules is a link, and out of date: run `npm ci` where it leads');
    process.exit(1);
  }
  console.log('installing the packages of package-lock.json ...');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

export function ensureBuilt() {
  const builders = ['build', 'bundle-cli', 'bundling', 'describe', 'licences'].map(
    (name) => `scripts/${name}.mjs`,
  );
  const sources = ['package.json', ...builders, ...filesUnder('src'), ...filesUnder('web')];
  // The last file of a build: one that failed is not taken for one.
  if (changed('dist/THIRD-PARTY-LICENSES') >= Math.max(...sources.map(changed))) return;
  console.log('building dist/ ...');
  run(process.execPath, ['scripts/build.mjs']);
}

/** When a file was changed, in ms; 0 when it is not there. */
function changed(file) {
  return existsSync(root + file) ? statSync(root + file).mtimeMs : 0;
}

function filesUnder(folder) {
  return readdirSync(root + folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${(entry.parentPath ?? entry.path).slice(root.length)}/${entry.name}`);
}
