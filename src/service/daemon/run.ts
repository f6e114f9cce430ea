import path from 'node:path';
import { hostedKey, loadConfig } from '../../core/config/index.ts';
import {
  checkOwnFile,
  closeToOthers,
  type Lock,
  lstatIfThere,
  messageOf,
  removeIfThere,
  removeLeftovers,
  takeLock,
  writeWhole,
} from '../../core/platform/index.ts';
import {
  claimReturn,
  type Environment,
  ensureFolders,
  forgetIdle,
  type Workspace,
} from '../../core/workspace/index.ts';
import type { Repaired } from '../engine/index.ts';
import { clearSocketPath } from './addresses.ts';
import { openListeners } from './listeners.ts';
import { type Logger, openLogger } from './logger.ts';
import { Patience } from './patience.ts';
import { Shutdown } from './shutdown.ts';
import { abandon, openStorage } from './storage.ts';

export interface DaemonOptions {
  readonly workspace: Workspace;
  readonly env: Environment;
  readonly home: string;
  /** Told, in words, what the start waits for. */
  readonly waiting?: (message: string) => void;
  /** The bundles of the threads, and of the program that looks through the database. */
  readonly scripts: {
    readonly engine: URL;
    readonly check: URL;
    readonly backfill: URL;
    readonly capture: URL;
    readonly reader: URL;
    /** The folder of the page's files. */
    readonly page: URL;
  };
}

export interface Daemon {
  /** What the start wants the user to know. */
  readonly notes: readonly string[];
  /** Ends the daemon in order; settles when nothing of it is left. */
  stop(reason: string): Promise<void>;
  /** Settles when it has ended, by request, signal or idleness. */
  readonly ended: Promise<void>;
}

/**
 * Starts the daemon of a workspace, or answers null when one holds the workspace's lock already.
 * @throws Failure with cause and repair; it is in the daemon's log as well
 */
export async function runDaemon(options: DaemonOptions): Promise<Daemon | null> {
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
    // The database has still to be looked at, by a start that gets that far.
    if (!suspect) removeIfThere(workspace.pid);
    forgetIdle(workspace);
    lock.release();
    throw error;
  }
}

async function startLocked(
  options: DaemonOptions,
  lock: Lock,
  logger: Logger,
  suspect: boolean,
): Promise<Daemon> {
  const { workspace, env } = options;
  const { config, warnings } = loadConfig(workspace.config, env);
  hostedKey(env, config);
  const closed = closeFiles(workspace);
  const removed = await takePlace(workspace);
  for (const warning of warnings) logger.warn(warning);
  for (const file of closed) logger.warn(closedNote(file));
  process.on('uncaughtException', (error) => abandon(logger, error));
  const shutdown = new Shutdown({ workspace, logger, lock });
  const opening = { ...options, config, warnings, logger, shutdown };
  const patience = new Patience(() => {
    const words = 'another program holds the database locked; the start waits for it';
    logger.warn({ database: workspace.database }, words);
    options.waiting?.(words);
  });
  const storage = await openStorage({ ...opening, suspect, patience });
  const { repaired } = storage;
  const { bridge, server } = await openListeners({ ...opening, storage });
  const close = async (): Promise<void> => {
    storage.background.stop();
    storage.retention.stop();
    storage.eventLoop.stop();
    // The others before the engine: whoever closes the database last tidies its files.
    await storage.check.stop();
    await bridge.close();
    await server.close();
    await storage.ingest.close();
    await storage.engine.close();
  };
  shutdown.armed({ close, hasRepaired: repaired !== null });
  logger.info({ root: workspace.root, socket: workspace.socket }, 'started');
  const notes = [
    ...closed.map(closedNote),
    removed,
    repaired === null ? null : repairNote(repaired),
    bridge.warning,
  ].filter((note) => note !== null);
  return {
    notes: [...warnings, ...notes],
    stop: (reason) => shutdown.stop(reason),
    ended: shutdown.ended,
  };
}

/**
 * What is kept is this user's own: a link or a file of another user ends the start, a mode that lets others in is put right.
 * @returns the files whose mode was put right
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
 * Clears and marks the workspace's folder as this daemon's.
 * @returns what was removed from the socket's path, in words for the user, or null
 * @throws Failure `socket_in_use`
 */
async function takePlace(workspace: Workspace): Promise<string | null> {
  // Whoever finds nobody answering meanwhile knows that it is on its way.
  claimReturn(workspace);
  const removed = await clearSocketPath(workspace);
  removeLeftovers(workspace.folder);
  writeWhole(workspace.pid, `${process.pid}\n`, 'pid');
  writeWhole(workspace.rootRecord, workspace.root);
  return removed;
}

/** One line for whoever starts the daemon. */
function repairNote({ aside, damage, events, summaries, unreadable }: Repaired): string {
  const lost = unreadable === 0 ? '' : `, up to ${unreadable} rows could not be read`;
  return `the database was damaged (${damage}) and is set aside as ${aside}: ${events} events and ${summaries} memories were salvaged${lost}; the log was replayed`;
}
