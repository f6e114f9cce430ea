import fs from 'node:fs';
import { findSessions, folderOf, readTail } from '#capture/clients';
import { endNoticeTool, type Observation, type ToolEvent } from '#core/event';
import { errorCode, openOwn } from '#core/platform';
import type { TranscriptPosition } from '#memory/store';
import { eventBatches } from './batches.ts';
import type { FollowTask } from './messages.ts';
import { isOf } from './sources.ts';

// How much of a transcript is read in one turn; of a longer part, the end. `memd backfill` reads all.
export const followBytesMax = 64 * 1024 * 1024;
const opencodeBytesMax = 256 * 1024 * 1024;

export interface FollowStore {
  readonly position: (file: string) => Promise<TranscriptPosition | null>;
  /** Null: the file is gone. */
  readonly setPosition: (file: string, position: TranscriptPosition | null) => Promise<void>;
  readonly store: (events: readonly ToolEvent[]) => Promise<unknown>;
}

/**
 * Stores what only the new part of a transcript says. Calls come from hooks, and from `memd backfill`. Reads a regular file of this
 * user only, and of this session and project, whatever a hook names; one that was replaced or cut is read from its beginning. What is read
 * twice is stored once.
 */
export async function followTranscript(task: Omit<FollowTask, 'engine'>, to: FollowStore): Promise<void> {
  const isWanted = (one: Observation): boolean => isLate(one) && one.sessionId === task.session;
  const batches = eventBatches(isWanted, to.store);
  if (task.file === null) await readSession(task, batches);
  else await readFile(task.file, task, to, batches);
  await batches.flush();
}

/** What no hook says: messages, the ends of work in the background, and what the user refused. */
function isLate({ message, tool, refused }: Observation): boolean {
  return message !== undefined || tool === endNoticeTool || refused === true;
}

type Batches = ReturnType<typeof eventBatches>;

async function readFile(
  file: string,
  { session, root, home }: Pick<FollowTask, 'session' | 'root' | 'home'>,
  to: FollowStore,
  { take, flush }: Batches,
): Promise<void> {
  const fd = openTranscript(file);
  if (fd === null) return to.setPosition(file, null);
  try {
    const { ino, size } = fs.fstatSync(fd);
    const last = await to.position(file);
    const isSame = last !== null && last.ino === ino && last.size <= size;
    if (isSame && last.size === size) return;
    const folder = await folderOf(file);
    if (folder !== null && !isOf(root, home, folder)) return;
    const from = isSame ? last.offset : 0;
    // In the middle of a line, which is passed over.
    const start = Math.max(from, size - followBytesMax);
    const offset = await readTail({ file, session, fd, start, bytesMax: followBytesMax }, take);
    await flush();
    await to.setPosition(file, { ino, size, offset });
  } finally {
    fs.closeSync(fd);
  }
}

/** Null for what is missing, is a link, is not a plain transcript, or belongs to somebody else. */
function openTranscript(file: string): number | null {
  if (!file.startsWith('/') || !file.endsWith('.jsonl')) return null;
  try {
    return openOwn(file);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined || ['ENOENT', 'ELOOP', 'EACCES', 'ENOTDIR', 'EPERM'].includes(code)) return null;
    throw error;
  }
}

/** A session in a database, which is read as a whole. */
async function readSession(task: Omit<FollowTask, 'engine'>, { take }: Batches): Promise<void> {
  const { root, home, env, session, client = 'opencode' } = task;
  const scope = { root, home, env, belongs: (cwd: string) => isOf(root, home, cwd) };
  const found = await findSessions({ ...scope, databaseBytesMax: opencodeBytesMax }, client);
  try {
    const transcript = found.transcripts.find(({ name }) => name.endsWith(`#${session}`));
    await transcript?.read(take);
  } finally {
    found.close();
  }
}
