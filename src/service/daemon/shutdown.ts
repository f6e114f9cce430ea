import { type Lock, messageOf, removeIfThere } from '#core/platform';
import { forgetIdle, markIdle, type Workspace } from '#core/workspace';
import type { Logger } from './logger.ts';

export interface Running {
  /** Closes everything in the right order. */
  readonly close: () => Promise<void>;
  /** Whether this start has repaired the database: repairing it again and again would not end on a failing disk. */
  readonly hasRepaired: boolean;
}

export type Shutdown = Readonly<ReturnType<typeof shutdownOf>>;

interface Parts {
  readonly workspace: Workspace;
  readonly logger: Logger;
  readonly lock: Lock;
}

/** Ends the daemon once and in one order, whatever the reason. It waits until the daemon has started completely. */
export function shutdownOf({ workspace, logger, lock }: Parts) {
  const [ended, finished] = promised<void>();
  const [running, armed] = promised<Running>();
  let stopping: Promise<void> | null = null;
  let isDamaged = false;
  const end = async ({ close }: Running, reason: string, mayReturn: boolean): Promise<void> => {
    logger.info({ reason }, 'stopping');
    // Before the socket closes: a client that finds no daemon finds the mark.
    if (mayReturn) leaveMark(workspace, logger);
    else forgetIdle(workspace);
    await close();
    // A pid file that remains shows the next start that this daemon did not end in order.
    if (!isDamaged) removeIfThere(workspace.pid);
    lock.release();
    logger.info('stopped');
    finished();
  };
  /** `mayReturn`: the next client that needs the daemon starts it again. Settles when it has ended. */
  const stop = (reason: string, mayReturn = false): Promise<void> => {
    stopping ??= running.then((parts) => end(parts, reason, mayReturn));
    return stopping;
  };
  return {
    /** Settles when the daemon has ended. */
    ended,
    /** Called when the start is complete. */
    armed,
    stop,
    /** Ends the daemon because its database is damaged and marked. The next start repairs it. */
    damaged: (what: string): void => {
      isDamaged = true;
      void running.then(({ hasRepaired }) => {
        logger.fatal({ error: what }, 'the database is damaged; the next start repairs it');
        process.exitCode = 70;
        return stop('the database is damaged', !hasRepaired);
      });
    },
  };
}

/** A promise and its resolver. */
function promised<Value>(): [Promise<Value>, (value: Value) => void] {
  let settle: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolve) => {
    settle = resolve;
  });
  return [promise, settle];
}

function leaveMark(workspace: Workspace, logger: Logger): void {
  try {
    markIdle(workspace);
  } catch (error) {
    // Without it only the next session or `memd start` starts the daemon again.
    logger.warn({ error: messageOf(error) }, 'the mark of an idle daemon could not be written');
  }
}
