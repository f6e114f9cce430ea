// The real assistants that `npm run test:client` and `npm run bench:client` run: fetched from the npm registry once, without running any script of
// theirs, at the versions of test/client/support/versions.json, into a folder of this user's below the temporary one
// (MEMD_CLIENTS names another).
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from './ready.mjs';

const pins = JSON.parse(readFileSync(`${root}test/client/support/versions.json`, 'utf8'));
/** Hundreds of megabytes each. */
const fetchMs = 600_000;
export const clientNames = Object.keys(pins);

/** Where the packages are kept; not a folder that another user has put there. */
export function clientsCache() {
  const { uid } = os.userInfo();
  const folder = process.env.MEMD_CLIENTS ?? path.join(os.tmpdir(), `memd-clients-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || (uid >= 0 && stat.uid !== uid)) {
    throw new Error(`${folder} is not a folder of this user: remove it, or name another by MEMD_CLIENTS`);
  }
  return folder;
}

/** Fetches missing assistants by name. Returns those that cannot be fetched; each gets one line. */
export function fetchClients(names) {
  const cache = clientsCache();
  return names.filter((name) => {
    const { package: from, version } = pins[name];
    const folder = path.join(cache, `${name}-${version}`);
    if (existsSync(path.join(folder, 'complete'))) return false;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    console.log(`fetching ${from}@${version} ...`);
    // Not in this repository, whose settings npm would take.
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    // Without a network npm would try for minutes.
    const flags = ['--prefix', folder, ...quiet, '--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
    const { status } = spawnSync('npm', ['install', ...flags, `${from}@${version}`], {
      ...{ cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], timeout: fetchMs },
    });
    if (status !== 0) {
      rmSync(folder, { recursive: true, force: true });
      console.log(`${name} ${version} cannot be had; what needs it is skipped`);
      return true;
    }
    writeFileSync(path.join(folder, 'complete'), '');
    return false;
  });
}

/**
 * What to put before a command so that it has a network of its own with nothing but the loopback; null where the system
 * does not allow that.
 */
export function isolation() {
  const ways = [
    ['unshare', '-n'],
    ['unshare', '-rn'],
  ];
  for (const way of ways) {
    const prefix = [...way, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
    try {
      execFileSync(prefix[0], [...prefix.slice(1), 'true'], { stdio: 'ignore' });
      return prefix;
    } catch {
      // Not this way: no right to it, or no such program.
    }
  }
  return null;
}
