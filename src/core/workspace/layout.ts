import { createHash } from 'node:crypto';
import path from 'node:path';
import { ensurePrivateFolder } from '#core/platform';
import { type Environment, homeOf, layoutOf, namespaceOf, slugOf, type Workspace } from './paths.ts';
import { rootOf } from './recorded.ts';

/** The workspace that `cwd` and the environment stand for. Hook, commands and daemon all ask here. */
export function findWorkspace(env: Environment, cwd: string): Workspace {
  return layout(homeOf(env), namespaceOf(env), rootOf(env, cwd));
}

/** The workspace of a root that is known already (the daemon is started with it). */
export function layout(home: string, namespace: string, root: string): Workspace {
  return layoutOf(home, namespace, root, workspaceKey(root));
}

/** `<slug>-<12 hex>`: readable in a listing, unique by the SHA-256 of the root's real path. */
export function workspaceKey(root: string): string {
  return `${slugOf(root)}-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`;
}

/** Creates what is missing, each folder 0700. @throws Failure `unsafe_folder` */
export function ensureFolders(workspace: Workspace): void {
  const space = path.dirname(workspace.config);
  for (const folder of [
    workspace.base,
    space,
    path.dirname(workspace.folder),
    workspace.folder,
    path.dirname(workspace.daemonLog),
  ]) {
    ensurePrivateFolder(folder);
  }
}
