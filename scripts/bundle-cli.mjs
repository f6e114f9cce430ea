// Bundles `memd` and `mem`. A command is loaded when it is called, so each command is a file of its own next to what it
// shares with others. esbuild splits ES modules alone, and CommonJS starts earlier: so it splits, and then each file is turned.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, transform } from 'esbuild';
import { metaUrlBanner, metaUrlName, withParts } from './bundling.mjs';

/** @returns esbuild's metafile */
export async function bundleCli(common, dist) {
  const { outputFiles, metafile } = await build({
    ...common,
    format: 'esm',
    splitting: true,
    plugins: [
      withParts(
        'payload',
        'install',
        'resume',
        'shell',
        'session',
        'variables',
        'noise',
        'transcripts',
        'places',
      ),
    ],
    write: false,
    metafile: true,
    outdir: dist,
    // In the folder of the daemon's program, which they start.
    chunkNames: 'cli-[name]-[hash]',
    outExtension: { '.js': '.cjs' },
    define: { ...common.define, ...metaUrlName },
    entryPoints: [
      { in: 'src/surfaces/cli/main.ts', out: 'memd' },
      { in: 'src/surfaces/cli/mem-main.ts', out: 'mem' },
      { in: 'src/surfaces/cli/memdaemon-main.ts', out: 'memdaemon' },
    ],
  });
  mkdirSync(dist, { recursive: true });
  for (const file of outputFiles) {
    const { code: commonJs } = await transform(file.text, {
      format: 'cjs',
      target: common.target,
      // `require` in the place of `import()`: the loader of ES modules is not started for them.
      supported: { 'dynamic-import': false },
      banner: file.text.includes('importMetaUrl') ? metaUrlBanner : '',
    });
    const { code } = await transform(requiredWhenUsed(commonJs), { minify: true, target: common.target });
    const isProgram = ['memd.cjs', 'mem.cjs', 'memdaemon.cjs'].includes(path.basename(file.path));
    writeFileSync(file.path, isProgram ? `#!/usr/bin/env node\n${code}` : code);
    if (isProgram) chmodSync(file.path, 0o755);
  }
  return metafile;
}

/**
 * Node's own modules and SQLite at their uses instead of at the top: which of them a command needs, and most need few, shows only when
 * it runs, and SQLite's native module alone takes a third of the time of `mem search`.
 */
function requiredWhenUsed(code) {
  let lazy = code;
  const declared =
    /^var (import_\w+) = (__toESM\()?require\("((?:node:|@photostructure)[^"]+)"\)(?:(?:, 1)?\))?;\n/gm;
  for (const [line, name, isDefault, module] of code.matchAll(declared)) {
    // In brackets: `new` would take the call for its constructor.
    lazy = lazy
      .replace(line, '')
      .replaceAll(new RegExp(`\\b${name}${isDefault ? '\\.default' : ''}\\b`, 'g'), `(require("${module}"))`);
    if (isDefault && new RegExp(`\\b${name}\\b`).test(lazy))
      throw new Error(`${name} is used by name and by default`);
  }
  // commander's way to say it. It starts a process only for commands that are programs of their own.
  const plain = lazy.replace(/\(0, import_\w+\.__require\)\("(node:\w+)"\)/g, 'require("$1")');
  const [line, name] = /\bvar (\w+) = require\("node:child_process"\);/.exec(plain) ?? [];
  if (line === undefined) return plain;
  return plain
    .replace(line, '')
    .replaceAll(new RegExp(`\\b${name}\\b`, 'g'), '(require("node:child_process"))');
}
