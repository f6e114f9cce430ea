import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { ensurePrivateFolder, Failure } from '../platform/index.ts';
import { workspaceRoot } from './root.ts';

/** Where everything of one workspace lies. All paths are absolute. */
export interface Workspace {
  readonly namespace: string;
  readonly root: string;
  readonly key: string;
  /** `~/.memd` */
  readonly base: string;
  readonly folder: string;
  readonly config: string;
  readonly pid: string;
  readonly lock: string;
  readonly socket: string;
  readonly database: string;
  readonly log: string;
  readonly daemonLog: string;
}

/** The environment variables that decide which workspace is meant. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The workspace that `cwd` and the environment stand for. Hook, commands and daemon all ask here. */
export function findWorkspace(env: Environment, cwd: string): Workspace {
  const home = env.HOME || os.homedir();
  const root = workspaceRoot({ cwd, home, projectDir: env.CLAUDE_PROJECT_DIR });
  return layout(home, namespaceOf(env), root);
}

/** The workspace of a root that is known already (the daemon is started with it). */
export function layout(home: string, namespace: string, root: string): Workspace {
  const key = workspaceKey(root);
  const base = path.join(home, '.memd');
  const space = path.join(base, namespace);
  const folder = path.join(space, 'workspaces', key);
  return {
    namespace,
    root,
    key,
    base,
    folder,
    config: path.join(space, 'config.json'),
    pid: path.join(folder, 'run.pid'),
    lock: path.join(folder, 'run.lock'),
    socket: path.join(folder, 'memd.sock'),
    database: path.join(folder, 'db.sqlite'),
    log: path.join(folder, 'wal.ndjson'),
    daemonLog: path.join(space, 'logs', `${key}.ndjson`),
  };
}

/**
 * `MEMD_NS`, or `default`.
 * @throws Failure `bad_namespace`
 */
export function namespaceOf(env: Environment): string {
  const name = env.MEMD_NS || 'default';
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw new Failure('bad_namespace', `MEMD_NS ${JSON.stringify(name)} is not a namespace`, {
    safe: 'nothing was read or written',
    repair: 'use a letter or digit first, then at most 63 letters, digits, ".", "_" or "-"',
  });
}

/** `<slug>-<12 hex>`: readable in a listing, unique by the SHA-256 of the root's real path. */
export function workspaceKey(root: string): string {
  const slug = path
    .basename(root)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 24);
  const digest = createHash('sha256').update(root).digest('hex').slice(0, 12);
  return `${slug || 'root'}-${digest}`;
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
