import fs from 'node:fs';
import path from 'node:path';
import { errorCode, Failure, lstatIfThere, messageOf, removeIfThere, takeLock } from '#core/platform';
import type { Workspace } from '#core/workspace';
import { forgetSecretPaths } from '#service/sync';
import { type Trace, tracesIn, type WorkspaceTraces } from './traces.ts';

/** What happens to the memories. */
export type Data = 'keep' | 'delete';

export type Removed = ReturnType<typeof removeTraces>;

/**
 * Removes memd's files below `home`, and folders that are then empty. The files of a workspace are removed under its lock, so
 * nothing of a running daemon is touched. `spared` are the folders of workspaces to leave as they are.
 */
export function removeTraces(home: string, data: Data, spared: ReadonlySet<string>) {
  const { workspaces, others, folders } = tracesIn(home);
  const files: string[] = [];
  const problems: string[] = [];
  const busy = new Set(spared);
  for (const one of workspaces) {
    const { folder, daemonLog } = one.workspace;
    if (spared.has(folder)) busy.add(daemonLog);
    else if (!removeUnderLock(one, data, files, problems)) busy.add(folder).add(daemonLog);
  }
  // All daemons share the page's token and the settings.
  const isInUse = ({ file }: Trace): boolean =>
    [...busy].some((one) => file.startsWith(one)) ||
    (busy.size > 0 && ['auth.token', 'config.json'].includes(path.basename(file)));
  for (const trace of others) if (!isInUse(trace)) remove(trace, data, files, problems);
  for (const folder of folders) orProblem(problems, folder, () => fs.rmdirSync(folder));
  /** `problems`: one message for each file that could not be removed. */
  return { files, problems };
}

/** False if another process uses the workspace. */
function removeUnderLock(
  { workspace, traces }: WorkspaceTraces,
  data: Data,
  files: string[],
  problems: string[],
): boolean {
  let lock: ReturnType<typeof takeLock>;
  if (lstatIfThere(workspace.lock) !== null && !traces.some(({ file }) => file === workspace.lock)) {
    problems.push(`${workspace.lock} is not a lock of memd: its folder was not changed`);
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
    problems.push(`${workspace.folder} is in use: a daemon was started meanwhile`);
    return false;
  }
  try {
    // The lock last: a process that waits for it finds it missing and exits.
    for (const trace of traces) if (trace.file !== workspace.lock) remove(trace, data, files, problems);
    // The record of its sync stays with a memory, or forgotten text could stay at the remote.
    if (data === 'keep') forgetSecrets(workspace, problems);
    if (traces.some(({ file }) => file === workspace.lock)) files.push(workspace.lock);
    removeIfThere(workspace.lock);
  } finally {
    lock.release();
  }
  return true;
}

function forgetSecrets(workspace: Workspace, problems: string[]): void {
  try {
    forgetSecretPaths(workspace);
  } catch (error) {
    problems.push(messageOf(error));
  }
}

function remove({ file, worth }: Trace, data: Data, files: string[], problems: string[]): void {
  if (worth === 'kept' && data === 'keep') return;
  orProblem(problems, file, () => {
    fs.unlinkSync(file);
    files.push(file);
  });
}

/** What a failed removal says. A file that is gone, or a folder that is not empty, is none. */
export function orProblem(problems: string[], file: string, removal: () => void): void {
  try {
    removal();
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? ''))
      problems.push(`cannot remove ${file}: ${messageOf(error)}`);
  }
}
