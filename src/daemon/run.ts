import { hostedKey, loadConfig } from '../config/index.ts';
import { Engine, type Mended } from '../engine/index.ts';
import {
  type Lock,
  lstatIfThere,
  messageOf,
  removeIfThere,
  removeLeftovers,
  takeLock,
  writeWhole,
} from '../platform/index.ts';
import { type RpcServer, serve } from '../rpc/index.ts';
import {
  claimReturn,
  type Environment,
  ensureFolders,
  forgetIdle,
  markIdle,
  type Workspace,
} from '../workspace/index.ts';
import { Activity } from './activity.ts';
import { Backfiller } from './backfiller.ts';
import { startBackground } from './background.ts';
import { type BridgeState, startBridge } from './bridge.ts';
import { watchDatabase } from './database-check.ts';
import { openEntrance } from './entrance.ts';
import { watchEventLoop } from './event-loop.ts';
import { clearSocketPath } from './listening-place.ts';
import { type Logger, openLogger } from './logger.ts';
import { opsHandler } from './ops.ts';
import { startRetention } from './retention.ts';
import { Status } from './status.ts';

export interface DaemonOptions {
  readonly workspace: Workspace;
  readonly env: Environment;
  readonly home: string;
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
  const { workspace, env, home, scripts } = options;
  const { config, warnings } = loadConfig(workspace.config, env);
  hostedKey(env, config);
  // Whoever finds nobody answering meanwhile knows that it is on its way.
  claimReturn(workspace);
  const removed = await clearSocketPath(workspace);
  removeLeftovers(workspace.folder);
  writeWhole(workspace.pid, `${process.pid}\n`, 'pid');
  writeWhole(workspace.rootRecord, workspace.root);
  for (const warning of warnings) logger.warn(warning);
  process.on('uncaughtException', (error) => abandon(logger, error));
  const report = (message: string, fields: object): void => logger.warn(fields, message);

  let damaged: string | null = null;
  let endDamaged = (): void => {};
  const isDamaged = (what: string): void => {
    damaged = what;
    endDamaged();
  };
  const engine = await Engine.open({
    script: scripts.engine,
    settings: { database: workspace.database, suspect, config, env: modelEnvironment(env) },
    report,
    damaged: isDamaged,
    died: (error) => abandon(logger, error),
  });
  const mended = await engine.call('mended');
  if (mended !== null) logger.error({ ...mended }, 'the database was damaged and is mended');
  const entrance = await openEntrance({ workspace, engine, logger, script: scripts.capture });
  const { intake } = entrance;
  const eventLoop = watchEventLoop(logger);
  const { database } = workspace;
  const check = watchDatabase({ engine, logger, database, script: scripts.check, damaged: isDamaged });
  const retention = startRetention({ engine, logger }, config);
  let bridge: BridgeState | null = null;
  const status = new Status({
    workspace,
    engine,
    intake,
    eventLoop,
    report,
    warnings,
    search: {
      topK: config.topK,
      halfLifeDays: config['search.halfLifeDays'],
      decayFloor: config['search.decayFloor'],
    },
    bridge: () => bridge,
    retention: () => retention.warning(),
  });
  const backfiller = new Backfiller({ engine, root: workspace.root, home, env, script: scripts.backfill });

  const lockInode = inodeOf(workspace.lock);
  const isHome = (): boolean => inodeOf(workspace.lock) === lockInode;
  const activity = new Activity(() => eventLoop.wake());
  let finished = (): void => {};
  const ended = new Promise<void>((resolve) => {
    finished = resolve;
  });
  let stopping: Promise<void> | null = null;
  const stop = (reason: string, comesBack = false): Promise<void> => {
    stopping ??= (async () => {
      logger.info({ reason }, 'stopping');
      if (comesBack) leaveMark(workspace, logger);
      else forgetIdle(workspace);
      background.stop();
      retention.stop();
      eventLoop.stop();
      // The others before the engine: whoever closes the database last tidies its files.
      await check.stop();
      await openedBridge.close();
      await server.close();
      await entrance.close();
      await engine.close();
      // Left behind, it tells the next start that this one did not end as it should.
      if (damaged === null) removeIfThere(workspace.pid);
      lock.release();
      logger.info('stopped');
      finished();
    })();
    return stopping;
  };
  const openedBridge = await startBridge({
    workspace,
    env,
    config,
    engine,
    intake,
    status,
    logger,
    scripts,
    active: activity.seen,
  });
  bridge = openedBridge;
  const background = startBackground({
    engine,
    logger,
    takeIn: entrance.takeIn,
    tickMs: config['drain.tickMs'],
    idleMinutes: config.idleMinutes,
    lastActive: () => activity.lastMs(),
    leave: (reason, comesBack) => void stop(reason, comesBack),
    isHome,
    lost: () => abandon(logger, new Error(`${workspace.folder} was removed or replaced`)),
  });
  const handle = opsHandler({
    engine,
    intake,
    backfiller,
    rest: background.rest,
    info: () => status.info(),
    worst: () => status.worst(),
    unlock: () => openedBridge.unlock(),
    shutdown: () => void stop('asked to'),
    recall: config['inject.recall'],
  });
  const server: RpcServer = await serve({
    socket: workspace.socket,
    handle: (request, context) => {
      if (request.op !== 'subscribe') return activity.during(() => handle(request, context));
      // One that only looks on keeps nobody here.
      activity.seen();
      return handle(request, context);
    },
    large: (frame, told) => activity.during(() => intake.takeFrame(frame, told)),
    internal: (error) => logger.error({ err: error }, 'a request failed'),
    isHome,
    reopened: () => logger.warn('the socket had been removed, and is there again'),
  });
  endDamaged = () => {
    logger.fatal({ error: damaged }, 'the database is damaged; the next start mends it');
    process.exitCode = 70;
    // Who needs it brings it back, and it mends. One that has mended already would go round and round on a failing disk.
    void stop('the database is damaged', mended === null);
  };
  if (damaged !== null) endDamaged();
  logger.info({ root: workspace.root, socket: workspace.socket }, 'started');
  const notes = [removed, mended === null ? null : mendedNote(mended), openedBridge.warning].filter(
    (note) => note !== null,
  );
  return { notes: [...warnings, ...notes], stop, ended };
}

/** Before the socket goes: whoever finds nobody there finds the mark. */
function leaveMark(workspace: Workspace, logger: Logger): void {
  try {
    markIdle(workspace);
  } catch (error) {
    // Without it the next session or `memd start` brings the daemon back.
    logger.warn({ error: messageOf(error) }, 'the mark of an idle daemon could not be written');
  }
}

/** One line for whoever starts the daemon. */
function mendedNote({ aside, damage, events, summaries, unreadable }: Mended): string {
  const lost = unreadable === 0 ? '' : `, up to ${unreadable} rows could not be read`;
  return `the database was damaged (${damage}) and is set aside as ${aside}: ${events} events and ${summaries} memories were salvaged${lost}; the log was replayed`;
}

function inodeOf(file: string): number | null {
  return lstatIfThere(file)?.ino ?? null;
}

/** The engine gets what concerns models and nothing else of the environment. */
function modelEnvironment(env: Environment): Environment {
  return { HOSTEDLLM_API_KEY: env.HOSTEDLLM_API_KEY };
}

/** A broken invariant: what was acknowledged is in the log, and the next start takes it in. */
function abandon(logger: Logger, error: Error): never {
  logger.fatal({ error: messageOf(error), stack: error.stack }, 'the daemon cannot go on');
  process.exit(70);
}
