// `npm run release -- VERSION`: from a version to what is published, in one step. Without VERSION it packs the version of package.json.
// `--out FOLDER` names the folder, `release/` by default. It holds the tarball, its bill of materials, the changes, the checksums,
// and in `plugin/` the branch from which Claude Code installs the plugin. `--tag TAG` refuses a tag that is not this version, and a
// version whose changes are unreleased. Publishes nothing.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { billOfMaterials } from './bill-of-materials.mjs';
import { ensureInstalled, root, run } from './ready.mjs';
import { changesOf, git, setVersion, stop } from './release-version.mjs';

const { values, positionals } = parseArgs({
  options: { out: { type: 'string', default: `${root}release` }, tag: { type: 'string' } },
  allowPositionals: true,
});
const out = path.resolve(values.out);
const [wanted] = positionals;

ensureInstalled();
if (wanted !== undefined) setVersion(wanted);
const { name, version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const { changes, isReleased } = changesOf(version);
if (values.tag !== undefined) {
  if (values.tag !== `v${version}`) stop(`the tag is ${values.tag}, and package.json has version ${version}`);
  if (!isReleased) stop(`CHANGELOG.md says that ${version} is unreleased`);
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
buildTwice();
execFileSync('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', out], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const bill = billOfMaterials(Number(process.env.SOURCE_DATE_EPOCH ?? git('log', '-1', '--format=%ct')));
writeFileSync(path.join(out, `${name}-${version}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
writeFileSync(path.join(out, 'CHANGES.md'), `${changes}\n`);
// The form that `sha256sum --check` and `shasum -a 256 --check` read.
const sums = readdirSync(out).map((file) => `${sha256(path.join(out, file))}  ${file}\n`);
writeFileSync(path.join(out, 'SHA256SUMS'), sums.join(''));
writePluginBranch(path.join(out, 'plugin'));

console.log(`${name} ${version} is in ${out}: ${readdirSync(out).join(', ')}`);
if (wanted !== undefined)
  console.log(
    `next: git commit -am "Release ${version}" && git tag v${version} && git push origin HEAD v${version}`,
  );

/** Builds `dist/`, and once more elsewhere: a build with other bytes could not be verified by others. */
function buildTwice() {
  const again = mkdtempSync(path.join(tmpdir(), 'memd-build-'));
  try {
    run(process.execPath, ['scripts/build.mjs']);
    run(process.execPath, ['scripts/build.mjs'], { env: { ...process.env, MEMD_DIST: again } });
    const [first, second] = [contents(`${root}dist`), contents(again)];
    const names = [...new Set([...first.keys(), ...second.keys()])];
    const unlike = names.filter((file) => first.get(file) !== second.get(file));
    if (unlike.length > 0) stop(`two builds differ in ${unlike.join(', ')}`);
  } finally {
    rmSync(again, { recursive: true, force: true });
  }
}

/** The checksum of each file of a folder. */
function contents(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return new Map(
    files.map((one) => {
      const file = path.join(one.parentPath ?? one.path, one.name);
      return [path.relative(folder, file), sha256(file)];
    }),
  );
}

function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** A marketplace whose plugin is complete (docs/decisions/045-release.md). */
function writePluginBranch(folder) {
  run(process.execPath, ['scripts/plugin.mjs', path.join(folder, 'plugin')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // Of this build, whatever is newer.
    env: { ...process.env, MEMD_DIST: `${root}dist` },
  });
  const marketplace = JSON.parse(readFileSync(`${root}.claude-plugin/marketplace.json`, 'utf8'));
  marketplace.description = `memd ${version}, a local memory for coding assistants. Built: nothing has to be run after the installation.`;
  mkdirSync(path.join(folder, '.claude-plugin'));
  writeFileSync(
    path.join(folder, '.claude-plugin/marketplace.json'),
    `${JSON.stringify(marketplace, null, 2)}\n`,
  );
  cpSync(`${root}LICENSE`, path.join(folder, 'LICENSE'));
}
