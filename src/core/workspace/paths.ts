import os from 'node:os';
import path from 'node:path';
import { Failure } from '#core/platform';

/** The files of one workspace, as absolute paths. */
export type Workspace = Readonly<ReturnType<typeof layoutOf>>;

/** A file next to the namespaces' folders, so no namespace can have its name. */
const tokenName = 'auth.token';

/** The environment variables that decide which workspace is meant. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The files of the workspace with that key. */
export function layoutOf(home: string, namespace: string, root: string, key: string) {
  const base = baseIn(home);
  const space = path.join(base, namespace);
  const folder = path.join(workspacesFolder(home, namespace), key);
  return {
    namespace,
    root,
    key,
    /** `~/.memd` */
    base,
    folder,
    config: configFile(home, namespace),
    pid: path.join(folder, 'run.pid'),
    lock: path.join(folder, 'run.lock'),
    /** Exists while the daemon is stopped because it was idle; the next client restarts it. */
    idle: path.join(folder, 'run.idle'),
    /** `idle`, renamed by the client that restarts the daemon; exists as long as that daemon runs. */
    waking: path.join(folder, 'run.waking'),
    socket: path.join(folder, 'memd.sock'),
    database: path.join(folder, 'db.sqlite'),
    log: path.join(folder, 'wal.ndjson'),
    /** Events that no daemon took, in the log's format. */
    spool: path.join(folder, 'spool.ndjson'),
    /** The root's path, written by the daemon: a hook finds its workspace by it without a hash. */
    rootRecord: rootRecordIn(folder),
    daemonLog: path.join(space, 'logs', `${key}.ndjson`),
    /** The bridge's port in decimal digits; exists while it listens. */
    httpPort: path.join(folder, 'http.port'),
    /** The bridge's token: one per user, for all namespaces. */
    token: path.join(base, tokenName),
  };
}

/** The user's home. @throws Failure `no_home` when it is not absolute: it would be in the current folder */
export function homeOf(env: Environment): string {
  const home = env.HOME || os.homedir();
  if (path.isAbsolute(home)) return home;
  throw new Failure('no_home', `HOME is ${JSON.stringify(home)}, which is not an absolute path`, {
    safe: 'nothing was read or written',
    repair: 'set HOME to your home folder',
  });
}

/** The folder that holds one folder a workspace. */
export function workspacesFolder(home: string, namespace: string): string {
  return path.join(baseIn(home), namespace, 'workspaces');
}

/** The settings of all workspaces of a namespace. */
export function configFile(home: string, namespace: string): string {
  return path.join(baseIn(home), namespace, 'config.json');
}

/** The root of the files by which a shell finds a workspace. */
export function placesFolder(home: string, namespace: string): string {
  return path.join(baseIn(home), namespace, 'places');
}

/**
 * `MEMD_NS`, or `default`.
 * @throws Failure `bad_namespace`
 */
export function namespaceOf(env: Environment): string {
  const name = env.MEMD_NS || 'default';
  const isTaken = name.toLowerCase().startsWith(tokenName);
  if (isNamespaceName(name) && !isTaken) return name;
  const why = isTaken ? "is the name of the bridge's token file" : 'is not a namespace';
  throw new Failure('bad_namespace', `MEMD_NS ${JSON.stringify(name)} ${why}`, {
    safe: 'nothing was read or written',
    repair: isTaken
      ? 'use another name'
      : 'use a letter or digit first, then at most 63 letters, digits, ".", "_" or "-"',
  });
}

/** Whether a name has the form of a namespace's. */
export function isNamespaceName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);
}

/** The folder of the socket by which the capture hook posts without Node; see `service/daemon/front.ts`. */
export function frontOf({ folder }: Pick<Workspace, 'folder'>): string {
  return path.join(folder, 'front');
}

/** Whether a name has the form of a workspace's key. */
export function isKey(name: string): boolean {
  return /^[a-z0-9-]{1,24}-[0-9a-f]{12}$/.test(name);
}

/** The file in a workspace's folder in which its daemon has left the root's path. */
export function rootRecordIn(folder: string): string {
  return path.join(folder, 'root');
}

/** The folder that holds all namespaces. */
export function baseIn(home: string): string {
  return path.join(home, '.memd');
}

/** The readable part of a workspace's key: the root's name in `[a-z0-9-]`, at most 24 characters. */
export function slugOf(root: string): string {
  const slug = path
    .basename(root)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 24);
  return slug || 'root';
}
