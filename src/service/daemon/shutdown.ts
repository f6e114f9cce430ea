import { type Lock, messageOf, removeIfThere } from '../../core/platform/index.ts';
import { forgetIdle, markIdle, type Workspace } from '../../core/workspace/index.ts';
import type { Logger } from './logger.ts';

export interface ShutdownOptions {
  readonly workspace: Workspace;
  readonly logger: Logger;
  readonly lock: Lock;
}

export interface Running {
  /** Closes all that was opened, in the order that it needs. */
  readonly close: () => Promise<void>;
  /** Whether this start has mended the database already: one that did so again and again would go round on a failing disk. */
  readonly hasRepaired: boolean;
}

/** How the daemon ends: once, in one order, whoever asks for it, and not before all of it is open. */
export class Shutdown {
  /** Settles when nothing is left of the daemon. */
  readonly ended: Promise<void>;
  /** All is open: from now on it can end. */
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

  /** The database is damaged and marked: it is left to the next start, which mends it. */
  readonly damaged = (what: string): void => {
    this.#isDamaged = true;
    void this.#running.then(({ hasRepaired }) => {
      this.#options.logger.fatal({ error: what }, 'the database is damaged; the next start mends it');
      process.exitCode = 70;
      // Who needs it brings it back, and it mends.
      return this.stop('the database is damaged', !hasRepaired);
    });
  };

  /** `comesBack`: whoever needs the daemon brings it back. Settles when it has ended. */
  stop(reason: string, comesBack = false): Promise<void> {
    this.#stopping ??= this.#running.then((running) => this.#stop(running, reason, comesBack));
    return this.#stopping;
  }

  async #stop({ close }: Running, reason: string, comesBack: boolean): Promise<void> {
    const { workspace, logger, lock } = this.#options;
    logger.info({ reason }, 'stopping');
    if (comesBack) leaveMark(workspace, logger);
    else forgetIdle(workspace);
    await close();
    // Left behind, it tells the next start that this one did not end as it should.
    if (!this.#isDamaged) removeIfThere(workspace.pid);
    lock.release();
    logger.info('stopped');
    this.#finished();
  }
}

/** A promise, and what settles it. */
function promised<Value>(): [Promise<Value>, (value: Value) => void] {
  let settle: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolve) => {
    settle = resolve;
  });
  return [promise, settle];
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
