// `npm run setup -- FOLDER`: from a fresh clone to a memory of the project in FOLDER. Builds, installs memd and mem for this user, then runs
// `memd setup` there, with all further arguments.
import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureInstalled, root, run } from './ready.mjs';

const [given, ...options] = process.argv.slice(2);
// npm runs scripts in the clone, and says where it was called.
const from = process.env.INIT_CWD ?? process.cwd();
const project = path.resolve(from, given ?? '.');
if (
  given?.startsWith('-') ||
  !statSync(project, { throwIfNoEntry: false })?.isDirectory() ||
  isOwn(project)
) {
  console.error(
    'usage: npm run setup -- FOLDER [options of `memd setup`]\n\n  FOLDER   your project, for instance ~/src/harbour',
  );
  process.exit(2);
}

ensureInstalled({ toBuild: true });
const prefix = globalPrefix();
installMemd();
const bin = path.join(prefix, 'bin');
const isOnPath = (process.env.PATH ?? '').split(path.delimiter).includes(bin);
const toPath = `  export PATH="${bin}:$PATH"`;
if (!isOnPath) {
  console.log(`memd and mem are not in your PATH. Put them there:\n${toPath}\n`);
  process.env.PATH = `${bin}${path.delimiter}${process.env.PATH}`;
}
const { status } = spawnSync(path.join(bin, 'memd'), ['setup', ...options], {
  cwd: project,
  stdio: 'inherit',
});
if (!isOnPath) console.log(`\nIn this shell, first:\n${toPath}`);
process.exitCode = status ?? 1;

/** This clone, which `npm run setup` without a folder would take. */
function isOwn(folder) {
  return !path.relative(root, folder).startsWith('..');
}

/** npm's own folder for global packages, or ~/.local where that belongs to somebody else. */
function globalPrefix() {
  const own = execFileSync('npm', ['prefix', '--global'], { encoding: 'utf8' }).trim();
  return ['bin', 'lib/node_modules'].every((folder) => isWritable(path.join(own, folder)))
    ? own
    : path.join(os.homedir(), '.local');
}

/** Whether a folder can be written, or made. */
function isWritable(folder) {
  if (!existsSync(folder)) return isWritable(path.dirname(folder));
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function installMemd() {
  console.log('building ...');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'memd-package-'));
  const quiet = { stdio: ['ignore', 'ignore', 'inherit'] };
  try {
    run('npm', ['pack', '--ignore-scripts=false', '--loglevel=error', '--pack-destination', folder], quiet);
    const tarball = path.join(folder, readdirSync(folder)[0]);
    console.log(`installing memd and mem in ${prefix} ...`);
    run(
      'npm',
      ['install', '--global', '--prefix', prefix, '--loglevel=error', '--no-audit', '--no-fund', tarball],
      quiet,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
