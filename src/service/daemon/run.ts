import path from 'node:path';
import { hostedKey, loadConfig } from '#core/config';
import {
  checkOwnFile,
  closeToOthers,
  Failure,
  type Lock,
  lstatIfThere,
  messageOf,
  readIfThere,
  removeIfThere,
  removeLeftovers,
  takeLock,
  writeWhole,
} from '#core/platform';
import { ping } from '#core/rpc';
import { claimReturn, ensureFolders, forgetIdle, recordIdentity, type Workspace } from '#core/workspace';
import { adoptMoved } from '#service/adopt';
import type { Repaired } from '#service/engine';
import { openListeners } from './listeners.ts';
import { lockWait } from './lock-wait.ts';
import { type Logger, openLogger } from './logger.ts';
import { shutdownOf } from './shutdown.ts';
import type { DaemonOptions } from './start-context.ts';
import { abandon, openStorage } from './storage.ts';

/**
 * Starts the daemon of a workspace; null when another one holds the workspace's lock.
 * @throws Failure with cause and repair, which is also in the daemon's log
 */
export async function runDaemon(options: DaemonOptions) {
  const { workspace } = options;
  ensureFolders(workspace);
  checkOwnFile(workspace.daemonLog);
  const lock = takeLock(workspace.lock);
  if (lock === null) return null;
  const logger = openLogger(workspace.daemonLog);
  // A daemon that ends in order takes its pid file with it.
  const suspect = lstatIfThere(workspace.pid) !== null;
  try {
    return await startLocked(options, lock, logger, suspect);
  } catch (error) {
    logger.fatal({ error: messageOf(error) }, 'start failed');
    // Else a later start checks the database.
    if (!suspect) removeIfThere(workspace.pid);
    forgetIdle(workspace);
    lock.release();
    throw error;
  }
}

async function startLocked(options: DaemonOptions, lock: Lock, logger: Logger, suspect: boolean) {
  const { workspace, env } = options;
  const { config, warnings } = loadConfig(workspace.config, env);
  hostedKey(env, config);
  const closed = closeFiles(workspace);
  const removed = await claimFolder(workspace);
  for (const warning of warnings) logger.warn(warning);
  for (const file of closed) logger.warn(closedNote(file));
  process.on('uncaughtException', (error) => abandon(logger, error));
  const shutdown = shutdownOf({ workspace, logger, lock });
  const opening = { ...options, config, warnings, logger, shutdown };
  const whenUnlocked = lockWait(() => {
    const words = 'another program holds the database locked; the start waits for it';
    logger.warn({ database: workspace.database }, words);
    options.waiting?.(words);
  });
  const moved = await adoptMoved(workspace, options.home);
  if (moved !== null) logger.info(moved);
  const storage = await openStorage({ ...opening, suspect, lockWait: whenUnlocked });
  const { repaired } = storage;
  const { bridge, server, front, sync } = await openListeners({ ...opening, storage, moved });
  const close = async (): Promise<void> => {
    storage.background.stop();
    sync.stop();
    // Its run ends with the engine.
    void storage.retention.stop();
    // The engine comes last: the last connection to the database removes its side files.
    await storage.check.stop();
    await bridge.close();
    await front.close();
    await server.close();
    await storage.follower.close();
    await storage.ingest.close();
    await storage.engine.close();
  };
  shutdown.armed({ close, hasRepaired: repaired !== null });
  logger.info({ root: workspace.root, socket: workspace.socket }, 'started');
  void recordIdentity(workspace).catch((error: unknown) => {
    logger.warn({ error: messageOf(error) }, 'the identity of the project folder was not recorded');
  });
  const notes = [
    moved,
    ...closed.map(closedNote),
    removed,
    repaired === null ? null : repairNote(repaired),
    bridge.warning,
  ].filter((note) => note !== null);
  return {
    /** Notes of the start for the user. */
    notes: [...warnings, ...notes],
    stop: (reason: string) => shutdown.stop(reason),
    /** Settles when it has ended, by request, signal or idleness. */
    ended: shutdown.ended,
  };
}

/**
 * Checks that the files belong to this user only. A link or a file of another user ends the start; a mode that is too open is corrected.
 * @returns the files whose mode was corrected
 * @throws Failure `unsafe_file`
 */
function closeFiles({ database, log, spool, folder, daemonLog }: Workspace): string[] {
  const kept = [
    ...['', '-wal', '-shm', '-journal'].map((part) => `${database}${part}`),
    log,
    path.join(folder, 'wal-damaged.ndjson'),
    spool,
    `${spool}.taking`,
  ];
  for (const file of kept) checkOwnFile(file);
  return [...kept, daemonLog].filter(closeToOthers);
}

function closedNote(file: string): string {
  return `${file} was open to other users: its mode is 0600 now`;
}

/**
 * Removes leftovers from the workspace's folder and marks it as this daemon's.
 * @returns what was removed from the socket's path, in words for the user, or null
 * @throws Failure `socket_in_use`
 */
async function claimFolder(workspace: Workspace): Promise<string | null> {
  // Shows clients that find no daemon that one is starting.
  claimReturn(workspace);
  const removed = await clearSocketPath(workspace);
  removeLeftovers(workspace.folder);
  writeWhole(workspace.pid, `${process.pid}\n`, 'pid');
  writeWhole(workspace.rootRecord, workspace.root);
  return removed;
}

function repairNote({ aside, damage, events, summaries, unreadable }: Repaired): string {
  const lost = unreadable === 0 ? '' : `, up to ${unreadable} rows were not readable`;
  return `the database was damaged (${damage}) and is set aside as ${aside}: ${events} events and ${summaries} memories were salvaged${lost}; the log was replayed`;
}

/**
 * Frees the socket path for a daemon that holds the workspace's lock. A socket without a listener is left from a killed daemon and is
 * removed; anything else stays.
 * @returns what was removed, in words for the user, or null
 * @throws Failure `socket_in_use`
 */
async function clearSocketPath(workspace: Workspace): Promise<string | null> {
  const { socket } = workspace;
  const stat = lstatIfThere(socket);
  if (stat === null) return null;
  const formerPid = readIfThere(workspace.pid)?.trim() || 'unknown';
  const inUse = `socket path in use ${socket} (pid ${formerPid})`;
  if (!stat.isSocket())
    throw new Failure('socket_in_use', `socket path in use ${socket}: the file is not a socket`, {
      safe: 'it was not changed',
      repair: 'move it away, then run `memd start`',
    });
  if ((await ping(socket)) !== 'absent')
    throw new Failure('socket_in_use', `${inUse}: another process listens there that is not this daemon`, {
      safe: 'it was not changed',
      repair: 'end that process, then run `memd start`',
    });
  removeIfThere(socket);
  return `the last daemon (pid ${formerPid}) was killed; what it acknowledged is stored (socket path in use: stale, removed)`;
}
