import fs from 'node:fs';
import path from 'node:path';
import { lstatIfThere } from '../platform/index.ts';
import type { Workspace } from './paths.ts';

/**
 * Where the daemon lays the files that take a browser to its page, and how their names begin. A browser that was installed as a snap
 * reads nothing in hidden folders: where there are snaps, the files lie in HOME, if nobody else may write there.
 */
export function redirectPlace(workspace: Workspace): { folder: string; begin: string } {
  const home = path.dirname(workspace.base);
  const { uid, mode } = fs.statSync(home);
  const isOwn = uid === process.getuid?.() && (mode & 0o022) === 0;
  const isVisible = isOwn && fs.existsSync(path.join(home, 'snap'));
  return { folder: isVisible ? home : workspace.folder, begin: beginOf(workspace) };
}

/** Those that lie there: a daemon that was killed has left them. */
export function leftRedirects(workspace: Workspace): string[] {
  const begin = beginOf(workspace);
  return [path.dirname(workspace.base), workspace.folder].flatMap((folder) =>
    namesIn(folder)
      .filter((name) => name.startsWith(begin) && /^[0-9a-f]{16}\.html$/.test(name.slice(begin.length)))
      .map((name) => path.join(folder, name))
      .filter((file) => isOwnFile(lstatIfThere(file))),
  );
}

/** A key holds no dot: two workspaces never begin alike. */
function beginOf({ key, namespace }: Workspace): string {
  return `memd-web.${key}.${namespace}.`;
}

function isOwnFile(stat: fs.Stats | null): boolean {
  return stat?.isFile() === true && stat.uid === process.getuid?.();
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    // A folder that is not there, or is closed to us, holds none of ours.
    return [];
  }
}
