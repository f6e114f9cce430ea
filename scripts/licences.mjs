// Writes the licences of the bundled packages, from esbuild's metafile, into one file next to the bundles. A package without a licence
// that allows this, or without its text, ends the build.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const allowed = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD']);

/** Writes `THIRD-PARTY-LICENSES` into `dist`. @returns the packages as `name version (licence)` */
export function writeLicences({ metafiles, root, dist }) {
  const packages = bundledPackages(metafiles).map((folder) => licenceOf(path.join(root, folder)));
  packages.sort((a, b) => (a.name < b.name ? -1 : 1));
  const titles = packages.map(({ name, version, licence }) => `${name} ${version} (${licence})`);
  const head =
    'The programs in this folder hold parts of the following packages, under the licences below.\n\n' +
    titles.map((title) => `  ${title}\n`).join('');
  const parts = packages.map(({ text }, at) => `${'-'.repeat(78)}\n${titles[at]}\n\n${text.trim()}\n`);
  writeFileSync(path.join(dist, 'THIRD-PARTY-LICENSES'), [head, ...parts].join('\n'));
  return titles;
}

/** The folders of the packages that anything in a bundle comes from, relative to the root. */
function bundledPackages(metafiles) {
  const folders = new Set();
  for (const { outputs } of metafiles) {
    for (const { inputs } of Object.values(outputs)) {
      for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
        const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
        if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
      }
    }
  }
  return [...folders];
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  if (!allowed.has(license))
    throw new Error(`${name} ${version} is bundled under a licence not known: ${license}`);
  const file = readdirSync(folder).find((one) => /^licen[cs]e(\.|$)/i.test(one));
  if (file === undefined) throw new Error(`${name} ${version} is bundled and has no licence file`);
  return { name, version, licence: license, text: readFileSync(path.join(folder, file), 'utf8') };
}
