// Makes the plugin folder complete: the built programs and SQLite's native package are added to plugin/. A person who installs
// it needs Node and nothing else. `npm run plugin` fills plugin/ itself (both folders are ignored by git);
// `node scripts/plugin.mjs FOLDER` makes a copy. MEMD_DIST names another build than dist/.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt, ensureInstalled, root } from './ready.mjs';

const source = path.join(root, 'plugin');
const target = path.resolve(process.argv[2] ?? source);
if (process.env.MEMD_DIST === undefined) {
  ensureInstalled({ toBuild: true });
  ensureBuilt();
}
const dist = path.resolve(process.env.MEMD_DIST ?? path.join(root, 'dist'));

checkVersion();
if (target !== source) {
  mkdirSync(target, { recursive: true });
  cpSync(source, target, { recursive: true, filter: (file) => !isBuilt(file) });
}
replace('dist', (folder) => cpSync(dist, folder, { recursive: true }));
replace('node_modules', copyPackages);
console.log(`the plugin is complete: ${target}`);

/** What the programs load at run time, without sources and without what only builds it. */
function copyPackages(folder) {
  const parts = {
    '@photostructure/sqlite': ['package.json', 'LICENSE', 'dist/index.cjs', 'dist/index.mjs', 'prebuilds'],
    'node-gyp-build': ['package.json', 'LICENSE', 'index.js', 'node-gyp-build.js'],
  };
  for (const [name, files] of Object.entries(parts)) {
    for (const file of files) {
      cpSync(path.join(root, 'node_modules', name, file), path.join(folder, name, file), { recursive: true });
    }
  }
}

/** Replaces a folder in one step: a session may use it. */
function replace(name, fill) {
  const folder = path.join(target, name);
  const [fresh, old] = [`${folder}.new`, `${folder}.old`];
  for (const leftover of [fresh, old]) rmSync(leftover, { recursive: true, force: true });
  fill(fresh);
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(fresh, folder);
  rmSync(old, { recursive: true, force: true });
}

/** Clients look for a newer version by this number. */
function checkVersion() {
  const read = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8')).version;
  const [wanted, found] = [read('package.json'), read('plugin/.claude-plugin/plugin.json')];
  if (wanted === found) return;
  console.error(`plugin/.claude-plugin/plugin.json has version ${found}, package.json ${wanted}`);
  process.exit(1);
}

function isBuilt(file) {
  return ['dist', 'node_modules'].some((name) =>
    path.relative(source, file).split(path.sep)[0]?.startsWith(name),
  );
}
