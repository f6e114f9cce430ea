import fs from 'node:fs';
import path from 'node:path';
import {
  addLines,
  Failure,
  faultPoint,
  lstatIfThere,
  readIfThere,
  syncFolder,
  takeLock,
} from '#core/platform';
import { ensureFolders, type Workspace } from '#core/workspace';
import { stopDaemon } from '#service/lifecycle';

/** Files of a running daemon, and of the path the memory is leaving. */
const ofTheFormer = /^(?:run\..*|memd\.sock|http\.port|root|identity\.json|memd-web\..*|.*\.tmp)$/;
/** Logs, whose lines can follow others'. */
const logs = ['wal.ndjson', 'spool.ndjson'];

/**
 * Takes a memory from one workspace to another that has none; `isCopy` leaves the first as it is. The caller holds the lock of `to`. The
 * daemon of `from` is stopped first.
 * @throws Failure `memory_in_use` when it cannot be stopped
 */
export async function moveMemory(from: Workspace, to: Workspace, isCopy = false): Promise<void> {
  ensureFolders(to);
  await stopDaemon(from);
  const lock = takeLock(from.lock);
  if (lock === null) throw inUse(from);
  try {
    if (isCopy) copyFiles(from, to);
    // One step: from here on the former path has no memory, and a start here goes on with `finishMove`.
    else fs.renameSync(from.folder, arriving(to));
    faultPoint('adopt.renamed');
  } finally {
    lock.release();
  }
  finishMove(to);
}

/** Ends a move that was interrupted. */
export function finishMove(to: Workspace): void {
  const folder = arriving(to);
  if (lstatIfThere(folder) === null) return;
  for (const name of fs.readdirSync(folder)) {
    if (ofTheFormer.test(name)) continue;
    const [source, target] = [path.join(folder, name), path.join(to.folder, name)];
    if (lstatIfThere(target) === null) fs.renameSync(source, target);
    // What hooks left here before the memory came. An event that is read twice is stored once.
    else if (logs.includes(name)) addLines(target, readIfThere(source) ?? '');
    else fs.renameSync(source, `${target}.adopted`);
    faultPoint('adopt.file');
  }
  syncFolder(to.folder);
  fs.rmSync(folder, { recursive: true });
}

function arriving({ folder }: Workspace): string {
  return path.join(folder, 'adopted');
}

/** Under another name first: a copy that is not whole is no memory. */
function copyFiles(from: Workspace, to: Workspace): void {
  const whole = arriving(to);
  const part = `${whole}.part`;
  fs.rmSync(part, { recursive: true, force: true });
  fs.mkdirSync(part, { mode: 0o700 });
  try {
    for (const name of fs.readdirSync(from.folder)) {
      // A copy is another device for `memd sync`: one id for both would be two writers of one place.
      if (!ofTheFormer.test(name) && name !== 'sync')
        fs.cpSync(path.join(from.folder, name), path.join(part, name), { recursive: true });
    }
    fs.renameSync(part, whole);
  } finally {
    fs.rmSync(part, { recursive: true, force: true });
  }
}

function inUse(from: Workspace): Failure {
  return new Failure('memory_in_use', `the memory of ${from.root} is in use by another process`, {
    safe: 'nothing was moved',
    repair: `run \`memd stop\` in that folder, or end the process that holds ${from.lock}`,
  });
}
