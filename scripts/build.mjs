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

// The hook, by the specification's name and as CommonJS, which starts earlier. What it needs only when no daemon
// takes its observation is a file of its own, loaded then.
const spoolApart = {
  name: 'spool-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/spool-observation\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './spool-observation.mjs', external: true } : undefined,
    ),
};
for (const [format, name] of [
  ['esm', 'capture-observation.mjs'],
  ['cjs', 'capture-observation.cjs'],
]) {
  await build({
    ...common,
    format,
    minify: true,
    outfile: `dist/${name}`,
    entryPoints: ['src/hook/capture-observation.ts'],
    plugins: [spoolApart],
  });
}
await build({
  ...common,
  format: 'esm',
  outfile: 'dist/spool-observation.mjs',
  entryPoints: ['src/hook/spool-observation.ts'],
});

for (const name of ['memd.cjs', 'mem.cjs', 'capture-observation.mjs', 'capture-observation.cjs']) {
  chmodSync(new URL(`../dist/${name}`, import.meta.url), 0o755);
}
