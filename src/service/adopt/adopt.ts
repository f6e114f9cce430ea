import { Failure, lstatIfThere, removeIfThere, takeLock } from '#core/platform';
import { ensureFolders, type Workspace } from '#core/workspace';
import { readDatabase } from '#memory/store';
import { stopDaemon } from '#service/lifecycle';
import { finishMove, moveMemory } from './move.ts';
import { formerMemories } from './moved.ts';

/**
 * Before a daemon opens its database: brings the memory of this project from its former path, if this path has none. The caller holds the
 * workspace's lock. Returns one line for the user, or null.
 * @throws Failure `memory_in_use`; a daemon that went on would begin a second memory of the project
 */
export async function adoptMoved(workspace: Workspace, home: string): Promise<string | null> {
  finishMove(workspace);
  if (lstatIfThere(workspace.database) !== null) return null;
  const candidates = await formerMemories(workspace, home);
  const [former, ...others] = candidates;
  if (former === undefined) return null;
  if (others.length > 0) return severalNote(candidates);
  await moveMemory(former, workspace);
  const undo = `mkdir ${former.root} && cd ${former.root} && memd adopt ${workspace.root}`;
  return `this project was moved here from ${former.root}, and its memory came with it. If it is another one with the same history, undo that: \`${undo}\``;
}

/**
 * Gives a workspace without memories the memory of another path; `isCopy` leaves that one as it is. Both daemons are stopped.
 * @throws Failure `has_memory`, `no_memory`, `memory_in_use`
 */
export async function adoptByHand(from: Workspace, to: Workspace, isCopy: boolean): Promise<void> {
  if (from.key === to.key) throw refused('no_memory', `${from.root} is this project itself`);
  if (lstatIfThere(from.database) === null) throw refused('no_memory', `${from.root} has no memory`);
  ensureFolders(to);
  await stopDaemon(to);
  const lock = takeLock(to.lock);
  if (lock === null) throw refused('memory_in_use', `the memory of ${to.root} is in use`);
  try {
    finishMove(to);
    const events = eventsIn(to);
    if (events > 0) throw hasMemory(to, from, events);
    for (const end of ['', '-wal', '-shm']) removeIfThere(`${to.database}${end}`);
    await moveMemory(from, to, isCopy);
  } finally {
    lock.release();
  }
}

function eventsIn({ database }: Workspace): number {
  return readDatabase(database, ({ stats }) => stats.counts().events) ?? 0;
}

function severalNote(candidates: readonly Workspace[]): string {
  const roots = candidates.map(({ root }) => root).join(' or ');
  return `this project may have been moved here from ${roots}: nothing was joined. To take one of these memories, run \`memd adopt PATH\``;
}

function refused(code: string, what: string): Failure {
  return new Failure(code, what, {
    safe: 'nothing was changed',
    repair: 'run `memd workspaces` to list all memories',
  });
}

function hasMemory(to: Workspace, from: Workspace, events: number): Failure {
  return new Failure('has_memory', `${to.root} has a memory of its own (${events} events)`, {
    safe: 'nothing was changed: two memories are never made one by this command',
    repair: `to read one into the other, run \`mem export\` in ${from.root} and \`mem import\` here`,
  });
}
