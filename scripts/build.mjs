// Bundles every entry into dist/, or the folder that MEMD_DIST names. Everything but SQLite's native module goes into the bundles, so that an
// installed memd has one dependency and starts without reading a tree of files.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build as esbuild, transform } from 'esbuild';
import { bundleCli } from './bundle-cli.mjs';
import { forNode, metaUrlBanner, metaUrlName, withParts } from './bundling.mjs';
import { describePrograms } from './describe.mjs';
import { writeLicences } from './licences.mjs';
import { root } from './ready.mjs';

// MEMD_BUILD_VERSION is for tests of one version against another.
const version =
  process.env.MEMD_BUILD_VERSION ??
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
const dist = path.resolve(process.env.MEMD_DIST ?? `${root}dist`);

const common = {
  ...forNode,
  define: { MEMD_VERSION: JSON.stringify(version) },
  legalComments: 'none',
  logLevel: 'warning',
};

rmSync(dist, { recursive: true, force: true });

/** What went into which bundle, for the licences. */
const metafiles = [];
async function build(options) {
  const result = await esbuild({ ...options, metafile: true });
  metafiles.push(result.metafile);
  return result;
}

metafiles.push(await bundleCli(common, dist));

// CommonJS starts some 6 ms earlier than ESM; `import.meta.url` is put back by hand.
const commonJs = {
  ...common,
  format: 'cjs',
  outdir: dist,
  outExtension: { '.js': '.cjs' },
  define: { ...common.define, ...metaUrlName },
  banner: { js: metaUrlBanner },
};
// V8 keeps the text. Names stay, for stack traces.
const readable = { ...commonJs, minifyWhitespace: true, minifySyntax: true };
await build({
  ...readable,
  plugins: [withParts('payload', 'install', 'recall', 'noise', 'variables')],
  entryPoints: [
    { in: 'src/service/daemon/main.ts', out: 'daemon' },
    { in: 'src/capture/intake/worker.ts', out: 'capture' },
  ],
});
// Less to load once; an import says in words what failed.
await build({
  ...commonJs,
  minify: true,
  plugins: [withParts('noise', 'transcripts', 'places')],
  entryPoints: [
    { in: 'src/service/backfill/worker.ts', out: 'backfill' },
    { in: 'src/assistants/form/opencode/main.ts', out: 'opencode' },
  ],
});
await build({
  ...readable,
  plugins: [withParts()],
  entryPoints: [
    { in: 'src/service/engine/worker.ts', out: 'engine' },
    { in: 'src/service/engine/check-main.ts', out: 'check' },
  ],
});
// It only reads, and what fails is said by its route.
await build({
  ...commonJs,
  minify: true,
  plugins: [withParts()],
  entryPoints: [{ in: 'src/service/bridge/reader/worker.ts', out: 'bridge' }],
});

// The hook, by the specification's name and as CommonJS, which starts earlier, and as a shell script, which needs no start of Node while
// the daemon answers. What takes the observation where it does not is a program of its own.
cpSync(`${root}src/surfaces/hooks/capture-observation.sh`, path.join(dist, 'capture-observation.sh'));
for (const [format, name] of [
  ['esm', 'capture-observation.mjs'],
  ['cjs', 'capture-observation.cjs'],
]) {
  const { outputFiles } = await build({
    ...common,
    format,
    write: false,
    outfile: path.join(dist, name),
    // A `require` does not load the module loader of ES.
    supported: { 'dynamic-import': format === 'esm' },
    entryPoints: ['src/surfaces/hooks/capture-observation.ts'],
  });
  const { code } = await transform(withPlainBuiltins(outputFiles[0].text), { minify: true, format });
  writeFileSync(path.join(dist, name), code);
}

/**
 * esbuild gives each file that says `import fs from 'node:fs'` a copy of the module with a getter for each of its exports, which
 * costs the hook 1.5 ms of its start. Our files use the default export alone.
 */
function withPlainBuiltins(code) {
  const plain = code.replace(/__toESM\(require\("(node:\w+)"\), 1\)/g, '({ default: require("$1") })');
  for (const [, name] of plain.matchAll(/^var (\w+) = \(\{ default: require/gm)) {
    if (new RegExp(`\\b${name}\\.(?!default\\b)`).test(plain))
      throw new Error(`${name} is used by name and by default`);
  }
  return plain;
}

await build({
  ...commonJs,
  minify: true,
  plugins: [withParts('payload', 'noise')],
  entryPoints: [{ in: 'src/surfaces/hooks/spool-observation.ts', out: 'spool-observation' }],
});

// The monitor as a script of its own, without other files.
await build({
  ...common,
  format: 'esm',
  outfile: path.join(dist, 'monitor.mjs'),
  entryPoints: ['src/surfaces/monitor/main.ts'],
});

// The hooks before a call, and the one at a session's end. In a project without rules nothing of what decides is loaded: it is a file of its
// own, the same for both forms.
for (const [format, ending] of [
  ['esm', 'mjs'],
  ['cjs', 'cjs'],
]) {
  const decisionApart = {
    name: 'decision-apart',
    setup: ({ onResolve }) =>
      onResolve({ filter: /\/boundary-decision\.ts$/ }, ({ kind }) =>
        kind === 'dynamic-import' ? { path: './boundary-decision.cjs', external: true } : undefined,
      ),
  };
  const decision = ending === 'cjs' ? ['boundary-decision'] : [];
  for (const name of ['boundary', ...decision, 'guard', 'session-pause', 'recall']) {
    const file = path.join(dist, `${name}.${ending}`);
    const { outputFiles } = await build({
      ...common,
      format,
      write: false,
      outfile: file,
      // A `require` does not load the module loader of ES.
      supported: { 'dynamic-import': format === 'esm' },
      entryPoints: [`src/surfaces/hooks/${name}.ts`],
      plugins: [decisionApart, withParts('before')],
      define: { ...common.define, ...metaUrlName },
    });
    if (outputFiles[0].text.includes('importMetaUrl')) throw new Error(`${name} asks where it is`);
    const { code } = await transform(withPlainBuiltins(outputFiles[0].text), { minify: true, format });
    // What the minifier takes away: the name by which a module reads it.
    const names = name === 'boundary-decision' ? '0&&(module.exports={decide});\n' : '';
    writeFileSync(file, code + names);
    chmodSync(file, 0o755);
  }
}

// The hook at a session's start.
for (const [ending, options] of [
  ['mjs', { ...common, format: 'esm' }],
  ['cjs', { ...commonJs, outdir: undefined, outExtension: undefined }],
]) {
  const outfile = path.join(dist, `session-start.${ending}`);
  const entryPoints = ['src/surfaces/hooks/session-start.ts'];
  await build({ ...options, minify: true, outfile, entryPoints });
  chmodSync(outfile, 0o755);
}

// The page: what a browser of the last two years understands, in one script and one sheet. The page runs them as `blob:` and can load
// nothing else, so nothing is split.
await build({
  absWorkingDir: root,
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['chrome123', 'firefox124', 'safari17.5'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  outdir: path.join(dist, 'web/assets'),
  entryPoints: [
    { in: 'web/main.tsx', out: 'app' },
    { in: 'web/style/main.css', out: 'app' },
  ],
  legalComments: 'none',
  logLevel: 'warning',
});
cpSync(`${root}web/index.html`, path.join(dist, 'web/index.html'));
cpSync(`${root}src/service/bridge/unlock.html`, path.join(dist, 'unlock.html'));

for (const name of [
  'memd.cjs',
  'mem.cjs',
  'memdaemon.cjs',
  'capture-observation.mjs',
  'capture-observation.cjs',
  'capture-observation.sh',
  'monitor.mjs',
]) {
  chmodSync(path.join(dist, name), 0o755);
}

// Minified: an assistant starts it at each session, and what the protocol's library brings along is a megabyte.
await build({
  ...commonJs,
  minify: true,
  plugins: [withParts('session')],
  entryPoints: [{ in: 'src/surfaces/mcp/main.ts', out: 'mcp' }],
});

await describePrograms({ ...common, dist });
writeFileSync(path.join(dist, 'tools.json'), JSON.stringify(offeredTools()));

/** What the server for tools offers, for a plugin that has no time to ask. */
function offeredTools() {
  const asked = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'build', version } },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ];
  const input = asked.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join('');
  // No settings of whoever builds.
  const options = { input, env: { HOME: dist }, encoding: 'utf8' };
  const said = execFileSync(process.execPath, [path.join(dist, 'mcp.cjs')], options);
  const [{ result: first }, { result: second }] = said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { list: second.tools, instructions: first.instructions };
}

for (const name of readdirSync(dist)) {
  if (!/\.[cm]js$/.test(name)) continue;
  const file = path.join(dist, name);
  const code = inAscii(readFileSync(file, 'utf8'));
  // What is executable says what runs it.
  const lacksShebang = (statSync(file).mode & 0o111) !== 0 && !code.startsWith('#!');
  writeFileSync(file, lacksShebang ? `#!/usr/bin/env node\n${code}` : code);
}

/** One other character (esbuild leaves them in regular expressions) makes V8 keep the whole file with two bytes a character. */
function inAscii(code) {
  const [escaped] = /\\[^\0-\x7f]/.exec(code) ?? [];
  if (escaped !== undefined) throw new Error(`${escaped} has a backslash that would escape another one`);
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

writeLicences({ metafiles, root, dist });
