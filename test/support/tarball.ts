import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { dist } from './home.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Packed {
  /** The name of the tarball. */
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly mode: number; readonly size: number }[];
}

/** Lays out in `folder` what `npm pack` takes, with the build that is tested as its `dist/`, under the names of the repository. */
export function stage(folder: string): void {
  for (const name of fs.readdirSync(root)) {
    if (['node_modules', 'dist', '.git'].includes(name)) continue;
    fs.cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  }
  fs.cpSync(dist, path.join(folder, 'dist'), { recursive: true });
}

/** Packs a staged folder, or only lists what would be packed. Runs no script: the build is there. */
export function pack(folder: string, options: readonly string[] = []): Packed {
  const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error', ...options];
  const printed = execFileSync('npm', args, { cwd: folder, encoding: 'utf8' });
  const [packed]: Packed[] = JSON.parse(printed);
  if (packed === undefined) throw new Error(`npm pack printed nothing: ${printed}`);
  return packed;
}
