// How every program for Node is bundled.
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
