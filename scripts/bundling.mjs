// How every program for Node is bundled.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './ready.mjs';

/** Options of esbuild. SQLite's native module stays a package. */
export const forNode = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.12',
  // Where a package has both, ES modules: esbuild drops what is not used, and cannot follow the `require` of jsonc-parser's other form.
  mainFields: ['module', 'main'],
  external: ['@photostructure/sqlite'],
};

/** CommonJS has no `import.meta.url`: its uses get the name, and the banner gives that its value. */
export const metaUrlName = { 'import.meta.url': 'importMetaUrl' };
export const metaUrlBanner = "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;";

/**
 * Bundles the table of assistants with these parts only, each a property on a line of its own in the assistant's `index.ts`, which imports it
 * from the file of its name: a hook loads no other part.
 */
export const withParts = (...parts) => ({
  name: 'parts',
  setup({ onLoad, onResolve }) {
    const isWanted = (line, at, lines) => {
      const [, file] = /^import .* from '\.\/([\w-]+)\.ts';$/.exec(line) ?? [];
      const isInObject = at > lines.findIndex((one) => one.startsWith('export const '));
      const [, property] = (isInObject && /^ {2}(\w+)[,:]/.exec(line)) || [];
      const part = property ?? file ?? 'name';
      return part === 'name' || parts.includes(part);
    };
    onLoad({ filter: /\/src\/assistants\/[^/]+\/index\.ts$/ }, (file) => {
      if (/\/(?:form|table)\//.test(file.path)) return undefined;
      const lines = readFileSync(file.path, 'utf8').split('\n');
      return { contents: lines.filter(isWanted).join('\n'), loader: 'ts' };
    });
    // None of its files does anything when it is loaded.
    onResolve({ filter: /^(?:\..*\.ts|#assistants\/.*)$/ }, ({ path: to, resolveDir }) => {
      const file = to.startsWith('#') ? `${root}src/${to.slice(1)}/index.ts` : path.join(resolveDir, to);
      return file.includes('/src/assistants/') ? { path: file, sideEffects: false } : undefined;
    });
  },
});
