import fs from 'node:fs';
import path from 'node:path';
import { lstatIfThere } from '../../core/platform/index.ts';
import { everyNamespace, everyWorkspace, leftRedirects, type Workspace } from '../../core/workspace/index.ts';
import { inBase, inLogs, inNamespace, inSync, inWorkspace, type Worth } from './names.ts';

/** A file of memd: a regular file of this user, or a socket. */
export interface Trace {
  readonly file: string;
  readonly worth: Worth;
  readonly bytes: number;
}

/** A file below `~/.memd` that memd must not remove. */
export interface Foreign {
  readonly file: string;
  readonly why: string;
}

export interface WorkspaceTraces {
  readonly workspace: Workspace;
  readonly traces: readonly Trace[];
}

export interface Traces {
  readonly base: string;
  /** Their files are removed under the workspace's lock. */
  readonly workspaces: readonly WorkspaceTraces[];
  readonly others: readonly Trace[];
  readonly foreign: readonly Foreign[];
  /** Of memd, the deepest first. */
  readonly folders: readonly string[];
}

/** Everything below `~/.memd`. Follows no link. */
export function tracesIn(home: string): Traces {
  const base = path.join(home, '.memd');
  const sorted: Sorted = { foreign: [], folders: [] };
  const stat = lstatIfThere(base);
  if (stat === null) return { base, workspaces: [], others: [], ...sorted };
  const whyNot = strange(stat, 'folder');
  if (whyNot !== null) {
    return { base, workspaces: [], others: [], folders: [], foreign: [{ file: base, why: whyNot }] };
  }
  sorted.folders.unshift(base);
  const namespaces = everyNamespace(home).filter((name) => isNamespace(path.join(base, name)));
  const all = everyWorkspace(home);
  const others = sort(base, inBase, sorted, namespaces);
  for (const name of namespaces) {
    const space = path.join(base, name);
    others.push(...sortFolder(space, inNamespace, sorted, ['logs', 'workspaces', 'places']));
    others.push(...whole(path.join(space, 'places'), sorted));
    others.push(...sortFolder(path.join(space, 'logs'), inLogs, sorted));
    const keys = all.filter(({ namespace }) => namespace === name).map(({ key }) => key);
    sortFolder(path.join(space, 'workspaces'), () => null, sorted, keys);
  }
  const workspaces = all
    .map((workspace) => ({ workspace, traces: [...inOne(workspace, sorted), ...inHome(workspace)] }))
    // The folder of another user is reported as foreign.
    .filter(({ workspace }) => sorted.folders.includes(workspace.folder));
  return { base, workspaces, others, ...sorted };
}

function inOne({ folder, rootRecord }: Workspace, sorted: Sorted): Trace[] {
  const ofMemory = sortFolder(folder, inWorkspace, sorted, ['sync', 'front']);
  const sync = path.join(folder, 'sync');
  const ofSync = sortFolder(sync, inSync, sorted, ['clone.git']);
  const ofFront = whole(path.join(folder, 'front'), sorted);
  const traces = [...ofMemory, ...ofFront, ...ofSync, ...whole(path.join(sync, 'clone.git'), sorted)];
  // Without a memory, nobody needs the name of the project.
  const isEmpty = ofMemory.every(({ file, worth }) => worth === 'running' || file === rootRecord);
  return isEmpty ? traces.map((trace) => ({ ...trace, worth: 'running' })) : traces;
}

/** Every file below a folder whose names are not listed. */
function whole(folder: string, sorted: Sorted): Trace[] {
  const stat = lstatIfThere(folder);
  if (stat === null || strange(stat, 'folder') !== null) return [];
  const further = fs
    .readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  const traces = sortFolder(folder, (name) => (further.includes(name) ? null : 'running'), sorted, further);
  return [...traces, ...further.flatMap((name) => whole(path.join(folder, name), sorted))];
}

/** What a killed daemon left outside its folder. */
function inHome(workspace: Workspace): Trace[] {
  return leftRedirects(workspace)
    .filter((file) => path.dirname(file) !== workspace.folder)
    .map((file) => ({ file, worth: 'running', bytes: lstatIfThere(file)?.size ?? 0 }));
}

interface Sorted {
  readonly foreign: Foreign[];
  readonly folders: string[];
}

/** Whether memd made the folder, which may just have a valid name. */
function isNamespace(folder: string): boolean {
  return ['config.json', 'workspaces', 'logs', 'health.ndjson'].some(
    (name) => lstatIfThere(path.join(folder, name)) !== null,
  );
}

function sortFolder(
  folder: string,
  worthOf: (name: string) => Worth | null,
  sorted: Sorted,
  further: readonly string[] = [],
): Trace[] {
  const stat = lstatIfThere(folder);
  // Anything else was reported as foreign with its parent folder.
  if (stat === null || strange(stat, 'folder') !== null) return [];
  sorted.folders.unshift(folder);
  return sort(folder, worthOf, sorted, further);
}

/** The files of memd in a folder. The rest is foreign, except the folders named in `further`. */
function sort(
  folder: string,
  worthOf: (name: string) => Worth | null,
  sorted: Sorted,
  further: readonly string[],
): Trace[] {
  return fs
    .readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const file = path.join(folder, name);
      const stat = lstatIfThere(file);
      // A running daemon has just removed it.
      if (stat === null) return [];
      const worth = worthOf(name);
      const kind = further.includes(name) ? 'folder' : ['memd.sock', 's'].includes(name) ? 'socket' : 'file';
      const isNamed = worth !== null || kind === 'folder';
      const why = isNamed || stat.isSymbolicLink() ? strange(stat, kind) : notOurs;
      if (why !== null) sorted.foreign.push({ file, why });
      return worth === null || why !== null
        ? []
        : [{ file, worth: worthBy(file, stat, worth), bytes: stat.size }];
    });
}

const notOurs = 'not a file of memd';

/** An empty log or spool holds no memory. */
function worthBy(file: string, stat: fs.Stats, worth: Worth): Worth {
  return stat.size === 0 && file.endsWith('.ndjson') ? 'running' : worth;
}

/** Why a file with one of our names is foreign, or null. */
function strange(stat: fs.Stats, kind: 'folder' | 'file' | 'socket'): string | null {
  if (stat.isSymbolicLink()) return 'a link';
  const isRight =
    kind === 'folder' ? stat.isDirectory() : kind === 'socket' ? stat.isSocket() : stat.isFile();
  if (!isRight) return `not a ${kind}`;
  return stat.uid === process.getuid?.() ? null : "another user's";
}
