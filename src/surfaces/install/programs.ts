import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../core/workspace/index.ts';

/** What an assistant is told to run: absolute paths, so that no `PATH` of whoever starts it matters. */
export interface Programs {
  readonly node: string;
  /** The folder of the built programs. */
  readonly dist: string;
}

/** The programs of the memd that runs. */
export function ownPrograms(env: Environment): Programs {
  return { node: lastingNode(env), dist: fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') };
}

/**
 * The first `node` on the path that is this one, by the name it has there: an update of Node puts another file behind that
 * name, and takes the file away that is running now. Not from the folder that fnm makes for one shell: it goes with it.
 */
function lastingNode(env: Environment): string {
  const own = realOrNull(process.execPath);
  const found = foldersOnPath(env)
    .filter((folder) => !/(?:^|\/)fnm_multishells\//.test(folder))
    .map((folder) => path.join(folder, 'node'))
    .find((file) => own !== null && realOrNull(file) === own);
  return found ?? process.execPath;
}

/** Whether one of the programs can be found on the path. */
export function isOnPath(names: readonly string[], env: Environment): boolean {
  return foldersOnPath(env).some((folder) => names.some((name) => isExecutable(path.join(folder, name))));
}

export function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    // Not there, or not for us: neither can be run.
    return false;
  }
}

function foldersOnPath(env: Environment): string[] {
  return (env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}

function realOrNull(file: string): string | null {
  try {
    return fs.realpathSync(file);
  } catch {
    // A path's folder need not hold one.
    return null;
  }
}
