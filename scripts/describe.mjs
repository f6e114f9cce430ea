// Texts made from the programs `memd` and `mem`: `--help` and completions.
// `node scripts/describe.mjs` writes docs/commands.md up to `## Exit status`.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { forNode } from './bundling.mjs';
import { root } from './ready.mjs';

/** Writes `help/` and `completion/` into `dist`. */
export async function describePrograms({ dist, ...common }) {
  const { shippedTexts } = await loaded(common);
  for (const [name, text] of Object.entries(await shippedTexts())) {
    const file = path.join(dist, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The module that describes, built for this run below node_modules, where it finds unbundled packages. */
async function loaded(common) {
  const outfile = path.join(root, `node_modules/.describe-${process.pid}.mjs`);
  await build({
    ...common,
    format: 'esm',
    outfile,
    entryPoints: [path.join(root, 'src/surfaces/cli/describe.ts')],
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { commandsPage } = await loaded(forNode);
  const page = path.join(root, 'docs/commands.md');
  const [, byHand = ''] = readFileSync(page, 'utf8').split(/(?=^## Exit status$)/m);
  writeFileSync(page, (await commandsPage()) + byHand);
}
