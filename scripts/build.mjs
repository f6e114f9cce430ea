// Bundles every entry into dist/. Everything but SQLite's native module goes into the bundles, so that an
// installed memd has one dependency and starts without reading a tree of files.
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const root = new URL('..', import.meta.url).pathname;

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.12',
  external: ['@photostructure/sqlite'],
  define: { MEMD_VERSION: JSON.stringify(version) },
  legalComments: 'none',
  logLevel: 'warning',
};

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });

// CommonJS starts some 6 ms earlier than ESM; `import.meta.url` is put back by hand.
await build({
  ...common,
  format: 'cjs',
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  define: { ...common.define, 'import.meta.url': 'importMetaUrl' },
  banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
  entryPoints: [
    { in: 'src/cli/memd.ts', out: 'memd' },
    { in: 'src/cli/mem.ts', out: 'mem' },
    { in: 'src/daemon/main.ts', out: 'daemon' },
    { in: 'src/engine/worker.ts', out: 'engine' },
    { in: 'src/backfill/worker.ts', out: 'backfill' },
  ],
});

// The hook's name and form are the specification's.
await build({
  ...common,
  format: 'esm',
  outfile: 'dist/capture-observation.mjs',
  entryPoints: ['src/hook/capture-observation.ts'],
  minify: true,
});

for (const name of ['memd.cjs', 'mem.cjs', 'capture-observation.mjs']) {
  chmodSync(new URL(`../dist/${name}`, import.meta.url), 0o755);
}
