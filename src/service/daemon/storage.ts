import { clientVariablesOf } from '#assistants/table';
import type { TranscriptNotice } from '#capture/clients';
import { identityOf, messageOf } from '#core/platform';
import { idleCollector } from '#core/thread';
import type { Environment } from '#core/workspace';
import { transcriptFollower } from '#service/backfill';
import { startEngine } from '#service/engine';
import { activityOf } from './activity.ts';
import { startBackground } from './background.ts';
import { watchDatabase } from './database-check.ts';
import type { LockWait } from './lock-wait.ts';
import type { Logger } from './logger.ts';
import { openIntake } from './open-intake.ts';
import { startRetention } from './retention.ts';
import type { StartContext } from './start-context.ts';

export interface StorageOptions extends StartContext {
  /** The last daemon did not end in order: its database is checked before use. */
  readonly suspect: boolean;
  readonly lockWait: LockWait;
}

export type Storage = Awaited<ReturnType<typeof openStorage>>;

/** Capture, database and background work. Nothing listens yet. @throws Failure when the database, the log or a setting cannot be used */
export async function openStorage(options: StorageOptions) {
  const { workspace, config, logger, lockWait, scripts } = options;
  const { database } = workspace;
  const engine = await lockWait(() => openEngine(options));
  const repaired = await engine.call('repaired');
  if (repaired !== null) logger.error({ ...repaired }, 'the database was damaged and is repaired');
  const isOwnDatabase = sameFiles(database, `${database}-wal`);
  const follower = transcriptFollower({
    engine,
    root: workspace.root,
    home: options.home,
    env: clientVariablesOf(options.env),
    script: scripts.backfill,
    report: (message, fields) => logger.warn(fields, message),
  });
  const grown = config['capture.messages'] ? follower.grown : () => Promise.resolve();
  // A turn has ended, and the next session may begin now.
  const turnEnded = async (notice: TranscriptNotice): Promise<void> => {
    await grown(notice);
    await engine.call('prepareOutlines', { compacted: '' }).catch((error: unknown) => {
      logger.warn({ error: messageOf(error) }, 'no outline was prepared');
    });
  };
  const ingest = await openIntake({ ...options, engine, grown: turnEnded });
  const seen = idleCollector();
  seen();
  const activity = activityOf(seen);
  const isHome = sameFiles(workspace.lock);
  const background = startBackground({
    ...{ ...options, engine, isHome, isOwnDatabase },
    drainSpool: ingest.drainSpool,
    lastActive: activity.lastMs,
    lost: () => abandon(logger, new Error(`${workspace.folder} was removed or replaced`)),
  });
  const retention = startRetention({ engine, logger }, config);
  const check = watchDatabase({ ...options, engine });
  return {
    ...{ engine, ingest, grown, follower, activity, retention, background, check },
    /** What was done to a damaged database before it was opened, or null. */
    repaired,
    /** Whether the workspace's folder is still the one of the start. */
    isHome,
  };
}

function openEngine({ workspace, env, config, logger, shutdown, suspect, scripts }: StorageOptions) {
  // Of the environment the engine gets only what concerns models.
  const modelEnv: Environment = { HOSTEDLLM_API_KEY: env.HOSTEDLLM_API_KEY };
  return startEngine({
    script: scripts.engine,
    settings: { database: workspace.database, root: workspace.root, suspect, config, env: modelEnv },
    report: (message, fields) => logger.warn(fields, message),
    damaged: shutdown.damaged,
    died: (error) => abandon(logger, error),
  });
}

function sameFiles(...files: readonly string[]): () => boolean {
  const own = files.map(identityOf);
  return () => files.every((file, at) => identityOf(file) === own[at]);
}

/** Ends the process on a broken invariant. What was acknowledged is in the log, and the next start stores it. */
export function abandon(logger: Logger, error: Error): never {
  logger.fatal({ error: messageOf(error), stack: error.stack }, 'the daemon cannot go on');
  process.exit(70);
}
