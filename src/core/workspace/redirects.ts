import fs from 'node:fs';
import path from 'node:path';
import { lstatIfThere, orElse } from '#core/platform';
import type { Workspace } from './paths.ts';

/**
 * The folder and name prefix of the files that take a browser to the page. A snap cannot read hidden folders: with
 * snaps installed, the files are in HOME, if no other user may write there.
 */
export function redirectPlace(workspace: Workspace): { folder: string; begin: string } {
  const home = path.dirname(workspace.base);
  const { uid, mode } = fs.statSync(home);
  const isOwn = uid === process.getuid?.() && (mode & 0o022) === 0;
  const isVisible = isOwn && fs.existsSync(path.join(home, 'snap'));
  return { folder: isVisible ? home : workspace.folder, begin: beginOf(workspace) };
}

/** The files of killed daemons. */
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
  // A missing or unreadable folder has no files of ours.
  return orElse(() => fs.readdirSync(folder), []);
}
