import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { orElse } from '#core/platform';
import type { Environment } from '#core/workspace';

/** Absolute paths, so that an assistant's PATH does not matter. */
export type Programs = Readonly<ReturnType<typeof ownPrograms>>;

/** Of the memd that runs; `dist` is the folder of the built programs. */
export function ownPrograms(env: Environment) {
  return { node: lastingNode(env), dist: fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') };
}

/** This Node by its name on the PATH, which survives an update of Node. Not in a folder of fnm, which exists for one shell only. */
function lastingNode(env: Environment): string {
  const own = realOrNull(process.execPath);
  const found = foldersOnPath(env)
    .filter((folder) => !/(?:^|\/)fnm_multishells\//.test(folder))
    .map((folder) => path.join(folder, 'node'))
    .find((file) => own !== null && realOrNull(file) === own);
  return found ?? process.execPath;
}

export function isOnPath(names: readonly string[], env: Environment): boolean {
  return foldersOnPath(env).some((folder) => names.some((name) => isExecutable(path.join(folder, name))));
}

export function isExecutable(file: string): boolean {
  // Missing, or not accessible.
  return orElse(() => {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  }, false);
}

function foldersOnPath(env: Environment): string[] {
  return (env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}

function realOrNull(file: string): string | null {
  // Not every folder of the PATH has one.
  return orElse(() => fs.realpathSync(file), null);
}
