import { type Lock, messageOf, removeIfThere } from '../../core/platform/index.ts';
import { forgetIdle, markIdle, type Workspace } from '../../core/workspace/index.ts';
import type { Logger } from './logger.ts';

export interface ShutdownOptions {
  readonly workspace: Workspace;
  readonly logger: Logger;
  readonly lock: Lock;
}

export interface Running {
  /** Closes everything in the right order. */
  readonly close: () => Promise<void>;
  /** Whether this start has repaired the database: repairing it again and again would not end on a failing disk. */
  readonly hasRepaired: boolean;
}

/** Ends the daemon once and in one order, whatever the reason. It waits until the daemon has started completely. */
export class Shutdown {
  /** Settles when the daemon has ended. */
  readonly ended: Promise<void>;
  /** Called when the start is complete. */
  readonly armed: (running: Running) => void;
  readonly #options: ShutdownOptions;
  readonly #running: Promise<Running>;
  readonly #finished: () => void;
  #stopping: Promise<void> | null = null;
  #isDamaged = false;

  constructor(options: ShutdownOptions) {
    this.#options = options;
    [this.ended, this.#finished] = promised<void>();
    [this.#running, this.armed] = promised<Running>();
  }

  /** Ends the daemon because its database is damaged and marked. The next start repairs it. */
  readonly damaged = (what: string): void => {
    this.#isDamaged = true;
    void this.#running.then(({ hasRepaired }) => {
      this.#options.logger.fatal({ error: what }, 'the database is damaged; the next start repairs it');
      process.exitCode = 70;
      return this.stop('the database is damaged', !hasRepaired);
    });
  };

  /** `mayReturn`: the next client that needs the daemon starts it again. Settles when it has ended. */
  stop(reason: string, mayReturn = false): Promise<void> {
    this.#stopping ??= this.#running.then((running) => this.#stop(running, reason, mayReturn));
    return this.#stopping;
  }

  async #stop({ close }: Running, reason: string, mayReturn: boolean): Promise<void> {
    const { workspace, logger, lock } = this.#options;
    logger.info({ reason }, 'stopping');
    // Before the socket closes: a client that finds no daemon finds the mark.
    if (mayReturn) leaveMark(workspace, logger);
    else forgetIdle(workspace);
    await close();
    // A pid file that remains shows the next start that this daemon did not end in order.
    if (!this.#isDamaged) removeIfThere(workspace.pid);
    lock.release();
    logger.info('stopped');
    this.#finished();
  }
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
