import {
  CaptureThread,
  Committer,
  drainReplacedLogs,
  drainSpool,
  Intake,
} from '../../capture/intake/index.ts';
import { type Commit, replayLog, WriteAheadLog } from '../../capture/log/index.ts';
import type { Workspace } from '../../core/workspace/index.ts';
import type { Engine } from '../engine/index.ts';
import type { Logger } from './logger.ts';
import { opFields } from './op-schemas.ts';
import type { Patience } from './patience.ts';

export interface IngestOptions {
  readonly workspace: Workspace;
  readonly engine: Engine;
  readonly logger: Logger;
  readonly patience: Patience;
  /** The bundle of the capture thread. */
  readonly script: URL;
}

/** The captures' way in: log, committer, and the thread for the large ones. */
export interface Ingest {
  readonly intake: Intake;
  /** Takes in what hooks have spooled because no daemon answered them. */
  readonly takeIn: () => Promise<void>;
  /** Settles when what was acknowledged is stored, or stays in the log because it cannot be. */
  close(): Promise<void>;
}

/** Opens it behind what a former daemon left in the log, and what hooks have spooled: both are stored first. */
export async function openIngest({
  workspace,
  engine,
  logger,
  patience,
  script,
}: IngestOptions): Promise<Ingest> {
  const report = (message: string, fields: object): void => logger.warn(fields, message);
  await patience.during(() => replay(workspace, engine, logger));
  const log = await WriteAheadLog.openEmpty(workspace.log, report);
  const committer = new Committer({
    store: (events) => engine.call('commit', { events }),
    committed: (end) => log.committed(end),
    report,
  });
  const thread = new CaptureThread({ script, fields: opFields });
  const intake = new Intake({ log, committer, report, thread });
  const takeIn = async (): Promise<void> => {
    const commit: Commit = async (batch) => void (await engine.call('commit', { events: batch }));
    const tell = (message: string): void => logger.error(message);
    const found = await drainReplacedLogs(workspace.log, commit, tell);
    if (found > 0) logger.info({ events: found }, 'a replaced log was taken in');
    const taken = await drainSpool(workspace.spool, commit, tell);
    intake.tookIn(taken);
    if (taken.events + taken.dropped > 0) logger.info({ ...taken }, 'spool taken in');
  };
  await patience.during(takeIn);
  const close = async (): Promise<void> => {
    await thread.close();
    await committer.close();
    await log.close();
  };
  return { intake, takeIn, close };
}

async function replay(workspace: Workspace, engine: Engine, logger: Logger): Promise<void> {
  const { events, damaged } = await replayLog(
    workspace.log,
    async (batch) => void (await engine.call('commit', { events: batch })),
    (message) => logger.error(message),
  );
  if (events + damaged > 0) logger.info({ events, damaged }, 'log replayed');
}
