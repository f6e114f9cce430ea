// Rooms from their sources, for a measurement that drives them without a daemon.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from '../scripts/ready.mjs';

/**
 * What `contents` exports (paths from the repository's root) as one bundle in `folder`; the native module is taken
 * from where it is installed.
 */
export async function loadRooms(folder, contents) {
  const native = pathToFileURL(
    createRequire(path.join(root, 'package.json')).resolve('@photostructure/sqlite'),
  ).href;
  const outfile = path.join(folder, 'rooms.mjs');
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.12',
    outfile,
    logLevel: 'warning',
    plugins: [
      {
        name: 'native-module',
        setup: (bundle) => {
          bundle.onResolve({ filter: /^@photostructure\/sqlite$/ }, () => ({ path: native, external: true }));
        },
      },
    ],
  });
  return import(pathToFileURL(outfile).href);
}
