import { Failure, faultNumber, messageOf, orElse, removeIfThere, systemRepair } from '#core/platform';
import { emptyWal, type Prunable, prunable, removePruned, rowsOf, type Store } from '#memory/store';
import { archiveLines } from './line.ts';
import { newRestoreFile, removeOldRestoreFiles } from './restore-files.ts';
import { writeLines } from './whole-file.ts';

const pruneExamplesMax = 3;
const exampleCharsMax = 200;
// Removed in about a second of one transaction (bench/prune.mjs).
const pruneRowsMax = 10_000;

/** The `prune` op's answer. */
export interface Pruned {
  /** At most `pruneRowsMax` memories, the oldest first. */
  readonly groups: ReturnType<typeof groupsOf>;
  readonly removed: number;
  /** The file for `mem import` to restore everything; null if nothing was removed. */
  readonly restoreFile: string | null;
  /** How many more the next prune can remove: one transaction blocks all other writers. */
  readonly left: number;
}

/** What a prune would remove, by reason. Reads only. */
export function prunePlan(store: Store, nowMs: number): Pruned {
  const { plan, left } = planOf(store, nowMs);
  return { groups: groupsOf(store, plan), removed: 0, restoreFile: null, left };
}

/** Removes these memories. The restore file is on the disk before the transaction begins. */
export async function prune(store: Store, folder: string, nowMs: number): Promise<Pruned> {
  removeOldRestoreFiles(folder, nowMs);
  const { plan, left } = planOf(store, nowMs);
  const groups = groupsOf(store, plan);
  if (plan.length === 0) return { groups, removed: 0, restoreFile: null, left };
  const ids = plan.map(({ id }) => id);
  const restoreFile = newRestoreFile(folder, nowMs);
  let removed: number;
  try {
    await writeLines(restoreFile, archiveLines(store, rowsOf(store.connection, ids), 'restore'));
    removed = removePruned(store.connection, plan, nowMs);
  } catch (error) {
    const allStay = orElse(() => store.summaries.get(ids).length === ids.length, false);
    // The log of the transaction that failed takes room too.
    emptyIfRoom(store);
    throw notPruned(error, restoreFile, allStay);
  }
  emptyIfRoom(store);
  if (removed > 0) return { groups, removed, restoreFile, left };
  // All of them were pinned or removed meanwhile.
  removeIfThere(restoreFile);
  return { groups, removed, restoreFile: null, left };
}

/** A file of rows that all stay would only take the room that is missing. */
function notPruned(error: unknown, restoreFile: string, allStay: boolean): unknown {
  if (allStay) removeIfThere(restoreFile);
  const repair = systemRepair(error);
  if (repair === null) return error;
  const safe = allStay ? 'nothing was removed' : `${restoreFile} holds what was to be removed`;
  return new Failure('unavailable', `the prune has failed: ${messageOf(error)}`, {
    safe,
    repair,
    cause: error,
  });
}

/** The write-ahead log of the database holds the removed rows, overwritten with zeros. What a full disk hinders, the next start does. */
function emptyIfRoom({ connection }: Store): void {
  try {
    emptyWal(connection);
  } catch (error) {
    if (systemRepair(error) === null) throw error;
  }
}

function planOf(store: Store, nowMs: number): { plan: readonly Prunable[]; left: number } {
  const all = prunable(store.connection, nowMs);
  const plan = all.slice(0, faultNumber('prune.rows.max', pruneRowsMax));
  return { plan, left: all.length - plan.length };
}

function groupsOf(store: Store, plan: readonly Prunable[]) {
  return (['superseded', 'duplicate'] as const).flatMap((reason) => {
    const members = plan.filter((one) => one.reason === reason);
    if (members.length === 0) return [];
    const bytes = members.reduce((sum, one) => sum + one.bytes, 0);
    return [{ reason, count: members.length, bytes, examples: examplesOf(store, members) }];
  });
}

/** `by`: the newer memory that replaces it. */
function examplesOf(store: Store, members: readonly Prunable[]) {
  const first = members.slice(0, pruneExamplesMax);
  const by = new Map(first.map((one) => [one.id, one.by]));
  return store.summaries.get(first.map(({ id }) => id)).map(({ id, tool, ts, text }) => ({
    ...{ id, tool, ts, by: by.get(id) ?? id },
    text: text.length > exampleCharsMax ? `${text.slice(0, exampleCharsMax - 1)}…` : text,
  }));
}
