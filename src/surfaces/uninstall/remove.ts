import fs from 'node:fs';
import path from 'node:path';
import {
  errorCode,
  Failure,
  lstatIfThere,
  messageOf,
  removeIfThere,
  takeLock,
} from '../../core/platform/index.ts';
import { type Trace, tracesIn, type WorkspaceTraces } from './traces.ts';

/** What becomes of the memory itself. */
export type Data = 'keep' | 'delete';

export interface Removed {
  readonly files: readonly string[];
  /** What could not be removed, in words. */
  readonly problems: readonly string[];
}

/**
 * Removes this program's files below `home`'s `.memd`, and the folders that are empty by that. Everything of a workspace goes under its
 * lock: where a daemon has started meanwhile nothing of it is touched. `spared` are workspaces that are left as they are.
 */
export function removeTraces(home: string, data: Data, spared: ReadonlySet<string>): Removed {
  const { workspaces, others, folders } = tracesIn(home);
  const files: string[] = [];
  const problems: string[] = [];
  const busy = new Set(spared);
  for (const one of workspaces) {
    const { folder, daemonLog } = one.workspace;
    if (spared.has(folder)) busy.add(daemonLog);
    else if (!removeUnderLock(one, data, files, problems)) busy.add(folder).add(daemonLog);
  }
  // The page's token and the settings are every daemon's.
  const isInUse = ({ file }: Trace): boolean =>
    [...busy].some((one) => file.startsWith(one)) ||
    (busy.size > 0 && ['auth.token', 'config.json'].includes(path.basename(file)));
  for (const trace of others) if (!isInUse(trace)) remove(trace, data, files, problems);
  for (const folder of folders) removeIfEmpty(folder, problems);
  return { files, problems };
}

/** False when the workspace is somebody's. */
function removeUnderLock(
  { workspace, traces }: WorkspaceTraces,
  data: Data,
  files: string[],
  problems: string[],
): boolean {
  let lock: ReturnType<typeof takeLock>;
  if (lstatIfThere(workspace.lock) !== null && !traces.some(({ file }) => file === workspace.lock)) {
    problems.push(`${workspace.lock} is not the lock that memd makes: its folder was left as it is`);
    return false;
  }
  try {
    lock = takeLock(workspace.lock);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    problems.push(error.message);
    return false;
  }
  if (lock === null) {
    problems.push(`${workspace.folder} is in use: a daemon has started there meanwhile`);
    return false;
  }
  try {
    // The lock itself at the end: who waits for it finds it gone, and ends.
    for (const trace of traces) {
      if (trace.file === workspace.lock) continue;
      remove(trace, data, files, problems);
    }
    if (traces.some(({ file }) => file === workspace.lock)) files.push(workspace.lock);
    removeIfThere(workspace.lock);
  } finally {
    lock.release();
  }
  return true;
}

function remove({ file, worth }: Trace, data: Data, files: string[], problems: string[]): void {
  if (worth === 'kept' && data === 'keep') return;
  try {
    fs.unlinkSync(file);
    files.push(file);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') problems.push(`${file} cannot be removed: ${messageOf(error)}`);
  }
}

function removeIfEmpty(folder: string, problems: string[]): void {
  try {
    fs.rmdirSync(folder);
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'ENOENT' && code !== 'ENOTEMPTY' && code !== 'EEXIST')
      problems.push(`${folder} cannot be removed: ${messageOf(error)}`);
  }
}
