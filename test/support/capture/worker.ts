import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

export interface BuiltWorker {
  readonly script: URL;
  remove(): void;
}

/** The capture thread's bundle, as `scripts/build.mjs` makes it: a thread cannot be started from TypeScript. */
export async function buildWorker(): Promise<BuiltWorker> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-worker-'));
  const outfile = path.join(folder, 'capture.cjs');
  await build({
    entryPoints: [fileURLToPath(new URL('../../../src/capture/intake/worker.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
  });
  return { script: pathToFileURL(outfile), remove: () => fs.rmSync(folder, { recursive: true }) };
}
