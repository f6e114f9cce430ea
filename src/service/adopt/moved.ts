import fs from 'node:fs';
import path from 'node:path';
import { lstatIfThere, orElse } from '#core/platform';
import {
  everyWorkspace,
  hasSameRoots,
  holdsCommit,
  type Identity,
  identityIn,
  isSameFolder,
  recordedIdentity,
  type Workspace,
} from '#core/workspace';
import { readDatabase } from '#memory/store';

/**
 * The memories that may be this project's from before it was renamed or moved. One: it is adopted. Several: the user decides
 * (`memd adopt`). A memory whose folder still exists is never one of them: a clone, a fork or a copy begins its own.
 *
 * The same folder by device, inode and birth is certain. Else the history decides: the same first commits, the last known commit is part
 * of it (a new project of the same template lacks it), and the folder was made after the last event, since a clone that existed
 * before is not where the project went.
 */
export async function formerMemories(workspace: Workspace, home: string): Promise<Workspace[]> {
  const gone = everyWorkspace(home).filter(
    (one) => one.namespace === workspace.namespace && one.key !== workspace.key && isLeft(one),
  );
  if (gone.length === 0) return [];
  const own = await identityIn(workspace.root);
  const known = gone.flatMap((former) => {
    const identity = recordedIdentity(former);
    return identity === null ? [] : [{ former, identity }];
  });
  const renamed = known.filter(({ identity }) => isSameFolder(identity, own));
  if (renamed.length > 0) return renamed.map(({ former }) => former);
  const moved: Workspace[] = [];
  for (const { former, identity } of known) {
    if (await isMovedHere(workspace, own, former, identity)) moved.push(former);
  }
  return moved;
}

/** Whether a memory's project folder is gone. With a folder above it missing too, its disk may just not be mounted. */
function isLeft({ root, database }: Workspace): boolean {
  return root !== '' && !fs.existsSync(root) && lstatIfThere(database) !== null;
}

async function isMovedHere(
  { root }: Workspace,
  own: Identity,
  former: Workspace,
  known: Identity,
): Promise<boolean> {
  if (!hasSameRoots(known, own) || !fs.existsSync(path.dirname(former.root))) return false;
  if (own.bornMs > 0 && own.bornMs < lastUsedMs(former)) return false;
  if (isNearby(known, path.dirname(former.root)) || isNearby(known, path.dirname(root))) return false;
  return known.head !== null && (await holdsCommit(root, known.head));
}

/** Whether the folder itself is in `folder` under another name: then it went there, and this one is a clone. */
function isNearby({ device, inode, bornMs }: Identity, folder: string): boolean {
  return fs.readdirSync(folder).some((name) => {
    const stat = fs.lstatSync(path.join(folder, name), { bigint: true, throwIfNoEntry: false });
    if (stat?.isDirectory() !== true || String(stat.dev) !== device || String(stat.ino) !== inode)
      return false;
    // A new folder may have the inode of a removed one.
    return bornMs === 0 || Number(stat.birthtimeMs) === bornMs;
  });
}

/** The time of the last event; never over where a database does not say it: nothing is joined then. */
function lastUsedMs({ database }: Workspace): number {
  return orElse(
    () => Date.parse(readDatabase(database, ({ events }) => events.newestTs()) ?? '') || 0,
    Number.POSITIVE_INFINITY,
  );
}
