import fs from 'node:fs';
import path from 'node:path';
import { ensurePrivateFolder, orElse, readIfThere, removeIfThere, writeWhole } from '#core/platform';
import { isKey, placesFolder, type Workspace } from './paths.ts';

/** In each folder of the tree; no folder of a project has this name. */
const fileName = '@memd';

/**
 * Notes that hooks from `folder` (a real path) belong to this workspace: a file with its key in the tree `~/.memd/NAMESPACE/places`, which
 * mirrors the paths of projects. A shell finds the daemon by it without a hash. Where no file can be made, hooks find it by Node.
 */
export function recordPlace(workspace: Workspace, folder: string): void {
  const tree = treeOf(workspace);
  const file = path.join(tree, folder, fileName);
  if (keyIn(file) === workspace.key) return;
  try {
    ensurePrivateFolder(tree);
    let at = tree;
    for (const name of folder.split(path.sep).filter(Boolean)) {
      at = path.join(at, name);
      ensurePrivateFolder(at);
    }
    writeWhole(file, `${workspace.key}\n`);
  } catch {
    // For example a path that is too long below the tree.
  }
}

/** Forgets a folder that belongs to another workspace now. */
export function forgetPlace(workspace: Workspace, folder: string): void {
  const file = path.join(treeOf(workspace), folder, fileName);
  if (keyIn(file) === workspace.key) removeIfThere(file);
}

/** The key of the workspace to which hooks from `folder`, or from the nearest folder above it, belonged; null when none is noted. */
export function recordedPlace(home: string, namespace: string, folder: string): string | null {
  const tree = placesFolder(home, namespace);
  for (let at = folder; ; at = path.dirname(at)) {
    const key = keyIn(path.join(tree, at, fileName));
    if (key !== null) return key;
    if (at === path.dirname(at)) return null;
  }
}

function treeOf({ base, namespace }: Workspace): string {
  return placesFolder(path.dirname(base), namespace);
}

function keyIn(file: string): string | null {
  // The path is too long, or a part of it is a file.
  return orElse(() => {
    const key = fs.existsSync(file) ? (readIfThere(file)?.trim() ?? '') : '';
    return isKey(key) ? key : null;
  }, null);
}
