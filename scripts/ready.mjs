// Makes a fresh clone ready: installs what the lock file names and builds, each only when it is out of date.
// Uses nothing but Node, since nothing is installed yet.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a command in the repository with its output shown; ends this process when it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** What checks and tests, four fifths of the bytes: no build needs it. */
const forTests =
  /^(?:@biomejs|@sparticuz|@types|axe-core|fast-check|oxlint|playwright-core|typescript|vitest|wabt|@modelcontextprotocol\/client)/;

/** `toBuild`: in a clone without packages, only those that a build needs. */
export function ensureInstalled({ toBuild = false } = {}) {
  const { dependencies, devDependencies } = readJson('package.json');
  const names = Object.keys({ ...dependencies, ...devDependencies });
  const needed = names.filter((name) => !toBuild || !forTests.test(name));
  const isNew = changed('node_modules/.package-lock.json') >= changed('package-lock.json');
  if (isNew && needed.every((name) => existsSync(`${root}node_modules/${name}`))) return;
  // `npm ci` empties the folder, through a link too: it would take another checkout's packages away.
  if (lstatSync(`${root}node_modules`, { throwIfNoEntry: false })?.isSymbolicLink()) {
    console.error('node_modules is a link, and out of date: run `npm ci` where it leads');
    process.exit(1);
  }
  console.log('installing the packages of package-lock.json ...');
  const isPartial = toBuild && !existsSync(`${root}node_modules/vitest`);
  // A registry may keep its packages under other addresses.
  if (!(isPartial && installOnly(needed))) run('npm', installArgs, installOptions);
}

const installArgs = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
const installOptions = { stdio: ['ignore', 'ignore', 'inherit'] };

/**
 * Installs some packages, at the versions and checksums of the lock file, in a folder that the build removes, then moves them. False when npm
 * cannot.
 */
function installOnly(names) {
  const own = readJson('package.json');
  const lock = readJson('package-lock.json');
  const versions = { ...own.dependencies, ...own.devDependencies };
  const dependencies = Object.fromEntries(names.map((name) => [name, versions[name]]));
  const { name, version } = own;
  lock.packages[''] = { name, version, dependencies };
  // The lock file names no registry. With an address npm need not ask for it.
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  for (const [where, one] of Object.entries(lock.packages)) {
    const full = one.name ?? where.split('node_modules/').at(-1);
    if (where !== '')
      one.resolved = `${registry.replace(/\/*$/, '/')}${full}/-/${full.split('/').at(-1)}-${one.version}.tgz`;
  }
  const folder = `${root}dist/install`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/package.json`, JSON.stringify({ name, version, dependencies }));
  writeFileSync(`${folder}/package-lock.json`, JSON.stringify(lock));
  const { status } = spawnSync('npm', installArgs, { cwd: folder, stdio: 'ignore' });
  if (status !== 0) return false;
  rmSync(`${root}node_modules`, { recursive: true, force: true });
  renameSync(`${folder}/node_modules`, `${root}node_modules`);
  return true;
}

function readJson(file) {
  return JSON.parse(readFileSync(root + file, 'utf8'));
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
