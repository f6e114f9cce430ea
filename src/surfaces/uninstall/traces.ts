import fs from 'node:fs';
import path from 'node:path';
import { lstatIfThere } from '#core/platform';
import { everyWorkspace, isNamespaceName, leftRedirects, type Workspace } from '#core/workspace';
import { type Place, placeOf, type Worth } from './names.ts';

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

/** The traces of `workspaces` are removed under the workspace's lock. The `folders` are memd's, the deepest first. */
export type Traces = ReturnType<typeof tracesIn>;

/** Everything below `~/.memd`. Follows no link. */
export function tracesIn(home: string) {
  const base = path.join(home, '.memd');
  const traces: Trace[] = [];
  const found: Found = { traces, foreign: [], folders: [] };
  const stat = lstatIfThere(base);
  const why = stat === null ? null : strange(stat, 'folder');
  if (why !== null) found.foreign.push({ file: base, why });
  else if (stat !== null) walk(base, '', found);
  const { foreign, folders } = found;
  const workspaces = everyWorkspace(home)
    // The folder of another user is reported as foreign.
    .filter(({ folder }) => folders.includes(folder))
    .map((workspace) => ({ workspace, traces: [...inOne(workspace, traces), ...inHome(workspace)] }));
  const isOfOne = ({ file }: Trace): boolean =>
    workspaces.some(({ workspace: { folder } }) => file.startsWith(`${folder}${path.sep}`));
  return { base, workspaces, others: traces.filter((trace) => !isOfOne(trace)), foreign, folders };
}

function inOne({ folder, rootRecord }: Workspace, all: readonly Trace[]): Trace[] {
  const traces = all.filter(({ file }) => file.startsWith(`${folder}${path.sep}`));
  // Without a memory, nobody needs the name of the project.
  const isEmpty = traces.every(
    ({ file, worth }) => path.dirname(file) !== folder || worth === 'running' || file === rootRecord,
  );
  return isEmpty ? traces.map((trace) => ({ ...trace, worth: 'running' })) : traces;
}

/** What a killed daemon left outside its folder. */
function inHome(workspace: Workspace): Trace[] {
  return leftRedirects(workspace)
    .filter((file) => path.dirname(file) !== workspace.folder)
    .map((file) => ({ file, worth: 'running', bytes: lstatIfThere(file)?.size ?? 0 }));
}

interface Found {
  readonly traces: Trace[];
  readonly foreign: Foreign[];
  readonly folders: string[];
}

/** `name`: the folder's path below the base. */
function walk(folder: string, name: string, found: Found): void {
  found.folders.unshift(folder);
  for (const entry of fs.readdirSync(folder).sort()) {
    const [file, inner] = [path.join(folder, entry), name === '' ? entry : `${name}/${entry}`];
    const stat = lstatIfThere(file);
    // A running daemon has just removed it.
    if (stat === null) continue;
    const place = placeIn(file, inner, stat);
    const kind = place === 'folder' ? 'folder' : ['memd.sock', 's'].includes(entry) ? 'socket' : 'file';
    const why = place !== null || stat.isSymbolicLink() ? strange(stat, kind) : notOurs;
    if (why !== null) found.foreign.push({ file, why });
    else if (place === 'folder') walk(file, inner, found);
    else if (place !== null) found.traces.push({ file, worth: worthBy(file, stat, place), bytes: stat.size });
  }
}

/** A folder directly below the base may just have a valid name of a namespace. */
function placeIn(file: string, name: string, stat: fs.Stats): Place | null {
  const place = placeOf(name, stat.isDirectory());
  const isNamespace = (): boolean =>
    isNamespaceName(name) &&
    ['config.json', 'workspaces', 'logs', 'health.ndjson'].some((one) => fs.existsSync(path.join(file, one)));
  return place === 'folder' && !name.includes('/') && !isNamespace() ? null : place;
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
