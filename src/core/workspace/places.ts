import fs from 'node:fs';
import path from 'node:path';
import { ensurePrivateFolder, lstatIfThere } from '../platform/index.ts';
import { frontIn, placesFolder, type Workspace, workspacesFolder } from './paths.ts';

/** In each folder of the tree; no folder of a project has this name. */
const linkName = '@memd';

/**
 * Notes that hooks from `folder` (a real path) belong to this workspace: a link in the tree `~/.memd/NAMESPACE/places`, which mirrors the
 * paths of projects. A shell finds the daemon by it without a hash. Where no link can be made, hooks find it by Node.
 */
export function recordPlace(workspace: Workspace, folder: string): void {
  const tree = placesFolder(path.dirname(workspace.base), workspace.namespace);
  const link = linkIn(tree, folder);
  if (linkedTo(link) === workspace.front) return;
  const temporary = `${link}.${process.pid}.tmp`;
  try {
    ensurePrivateFolder(tree);
    fs.mkdirSync(path.dirname(link), { recursive: true, mode: 0o700 });
    fs.rmSync(temporary, { force: true });
    fs.symlinkSync(workspace.front, temporary);
    fs.renameSync(temporary, link);
  } catch {
    // For example a path that is too long below the tree.
  }
}

/** Removes the link of a folder that belongs to another workspace now. */
export function forgetPlace(workspace: Workspace, folder: string): void {
  const link = linkIn(placesFolder(path.dirname(workspace.base), workspace.namespace), folder);
  if (linkedTo(link) === workspace.front) fs.rmSync(link, { force: true });
}

/** The key of the workspace to which hooks from `folder`, or from the nearest folder above it, belonged; null when none is noted. */
export function recordedPlace(home: string, namespace: string, folder: string): string | null {
  const tree = placesFolder(home, namespace);
  for (let at = folder; ; at = path.dirname(at)) {
    const front = linkedTo(linkIn(tree, at));
    const key = front === null ? '' : path.basename(path.dirname(front));
    if (front !== null && front === frontIn(path.join(workspacesFolder(home, namespace), key))) return key;
    if (at === path.dirname(at)) return null;
  }
}

function linkIn(tree: string, folder: string): string {
  return path.join(tree, folder, linkName);
}

function linkedTo(link: string): string | null {
  try {
    return lstatIfThere(link)?.isSymbolicLink() === true ? fs.readlinkSync(link) : null;
  } catch {
    // The path is too long, or a part of it is a file.
    return null;
  }
}
