import type { TranscriptNotice } from '#capture/clients';
import { CaptureThread, Committer, drainReplacedLogs, drainSpool, Intake } from '#capture/intake';
import { type Commit, replayLog, WriteAheadLog } from '#capture/log';
import { messageOf } from '#core/platform';
import type { LockWait } from './lock-wait.ts';
import { opFields } from './ops.ts';
import type { EngineContext } from './start-context.ts';

interface OpenIntakeOptions extends EngineContext {
  readonly lockWait: LockWait;
  readonly grown: (notice: TranscriptNotice) => unknown;
}

/** Log, committer, and the thread for large captures. Stores first what an earlier daemon left in the log and what hooks have spooled. */
export async function openIntake(options: OpenIntakeOptions) {
  const { workspace, config, engine, logger, lockWait, scripts, grown } = options;
  const messages = config['capture.messages'];
  const report = (message: string, fields: object): void => logger.warn(fields, message);
  const commit: Commit = async (batch) => void (await engine.call('commit', { events: batch }));
  // Acknowledged messages in the log are stored; spooled ones were not acknowledged.
  const commitWanted: Commit = (batch) =>
    commit(messages ? batch : batch.filter(({ message }) => message === undefined));
  const failed = (message: string): void => logger.error(message);
  await lockWait(async () => {
    const { events, damaged } = await replayLog(workspace.log, commit, failed);
    if (events + damaged > 0) logger.info({ events, damaged }, 'log replayed');
  });
  const log = await WriteAheadLog.openEmpty(workspace.log, report);
  const committer = new Committer({
    store: (events) => engine.call('commit', { events }),
    committed: (end) => log.committed(end),
    report,
  });
  const thread = new CaptureThread({ script: scripts.capture, fields: opFields });
  const intake = new Intake({
    ...{ log, committer, report, thread, messages, grown },
    ownTool: (call) => {
      engine
        .call('ownTool', call)
        .catch((error: unknown) => logger.warn({ error: messageOf(error) }, 'a tool call was not counted'));
    },
  });
  const drainSpooled = async (): Promise<void> => {
    const replaced = await drainReplacedLogs(workspace.log, commit, failed);
    if (replaced > 0) logger.info({ events: replaced }, 'a replaced log was stored');
    const spooled = await drainSpool(workspace.spool, commitWanted, failed);
    intake.imported(spooled);
    if (spooled.events + spooled.dropped > 0) logger.info({ ...spooled }, 'spool drained');
  };
  await lockWait(drainSpooled);
  /** Settles when what was acknowledged is stored, or remains in the log because that failed. */
  const close = async (): Promise<void> => {
    await thread.close();
    await committer.close();
    await log.close();
  };
  return { intake, drainSpool: drainSpooled, close };
}
