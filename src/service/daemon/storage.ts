import type { Config } from '../../core/config/index.ts';
import { identityOf, messageOf } from '../../core/platform/index.ts';
import type { Environment, Workspace } from '../../core/workspace/index.ts';
import { Engine, type Repaired } from '../engine/index.ts';
import { Activity } from './activity.ts';
import { type Background, startBackground } from './background.ts';
import { watchDatabase } from './database-check.ts';
import { type EventLoopWatch, watchEventLoop } from './event-loop.ts';
import { type Ingest, openIngest } from './ingest.ts';
import type { Logger } from './logger.ts';
import type { Patience } from './patience.ts';
import { type RetentionWatch, startRetention } from './retention.ts';
import type { Shutdown } from './shutdown.ts';

export interface StorageOptions {
  readonly workspace: Workspace;
  readonly env: Environment;
  readonly config: Config;
  readonly logger: Logger;
  readonly shutdown: Shutdown;
  /** The last daemon did not end in order: its database is looked at before it is used. */
  readonly suspect: boolean;
  readonly patience: Patience;
  readonly scripts: { readonly engine: URL; readonly capture: URL; readonly check: URL };
}

/** What takes in and keeps, with what is done to it in the background. Nobody is answered yet. */
export interface Storage {
  readonly engine: Engine;
  /** What was done to a damaged database before it was opened, or null. */
  readonly repaired: Repaired | null;
  readonly ingest: Ingest;
  readonly activity: Activity;
  readonly eventLoop: EventLoopWatch;
  readonly retention: RetentionWatch;
  readonly background: Background;
  readonly check: { stop(): Promise<void> };
  /** Whether the workspace's folder is still the one that this daemon was started on. */
  readonly isHome: () => boolean;
}

/** @throws Failure when the database, the log or a setting cannot be used */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { workspace, config, logger, shutdown, patience, scripts } = options;
  const { engine, repaired } = await openEngine(options);
  const isOwnDatabase = sameFiles(workspace.database, `${workspace.database}-wal`);
  const ingest = await openIngest({ workspace, engine, logger, patience, script: scripts.capture });
  const eventLoop = watchEventLoop(logger);
  const activity = new Activity(() => eventLoop.wake());
  const isHome = sameFiles(workspace.lock);
  const background = startBackground({
    engine,
    logger,
    takeIn: ingest.takeIn,
    tickMs: config['drain.tickMs'],
    idleMinutes: config.idleMinutes,
    lastActive: () => activity.lastMs(),
    leave: (reason, comesBack) => void shutdown.stop(reason, comesBack),
    isHome,
    isOwnDatabase,
    lost: () => abandon(logger, new Error(`${workspace.folder} was removed or replaced`)),
  });
  const retention = startRetention({ engine, logger }, config);
  const { database } = workspace;
  const check = watchDatabase({ engine, logger, database, script: scripts.check, damaged: shutdown.damaged });
  return { engine, repaired, ingest, activity, eventLoop, retention, background, check, isHome };
}

async function openEngine({
  workspace,
  env,
  config,
  logger,
  shutdown,
  suspect,
  patience,
  scripts,
}: StorageOptions): Promise<Pick<Storage, 'engine' | 'repaired'>> {
  const engine = await patience.during(() =>
    Engine.open({
      script: scripts.engine,
      settings: { database: workspace.database, suspect, config, env: modelEnvironment(env) },
      report: (message, fields) => logger.warn(fields, message),
      damaged: shutdown.damaged,
      died: (error) => abandon(logger, error),
    }),
  );
  const repaired = await engine.call('repaired');
  if (repaired !== null) logger.error({ ...repaired }, 'the database was damaged and is mended');
  return { engine, repaired };
}

/** The engine gets what concerns models and nothing else of the environment. */
function modelEnvironment(env: Environment): Environment {
  return { HOSTEDLLM_API_KEY: env.HOSTEDLLM_API_KEY };
}

function sameFiles(...files: readonly string[]): () => boolean {
  const own = files.map(identityOf);
  return () => files.every((file, at) => identityOf(file) === own[at]);
}

/** A broken invariant: what was acknowledged is in the log, and the next start takes it in. */
export function abandon(logger: Logger, error: Error): never {
  logger.fatal({ error: messageOf(error), stack: error.stack }, 'the daemon cannot go on');
  process.exit(70);
}
