import { homeCheckMs } from '../../core/limits.ts';
import { faultNumber, messageOf, programState } from '../../core/platform/index.ts';
import type { Engine } from '../engine/index.ts';
import type { Logger } from './logger.ts';
import { repeat } from './repeat.ts';

const idleCheckMs = 15_000;
/** Captures and the outline of a session that starts the daemon go first. */
const prepareDelayMs = 250;
const restAfterMs = 15 * 60_000;
const programGoneChecks = 2;

export interface BackgroundOptions {
  readonly engine: Engine;
  readonly logger: Logger;
  /** Stores what hooks have spooled because this daemon was too busy to answer them. */
  readonly drainSpool: () => Promise<void>;
  readonly tickMs: number;
  /** 0: never leaves. */
  readonly idleMinutes: number;
  /** `performance.now()` of the last activity. */
  readonly lastActive: () => number;
  /** `mayReturn`: the next client that needs the daemon starts it again. */
  readonly leave: (reason: string, mayReturn: boolean) => void;
  /** Whether the workspace's folder is still the one of the start. */
  readonly isHome: () => boolean;
  readonly lost: () => void;
  /** Whether the database is still the file that was opened. */
  readonly isOwnDatabase: () => boolean;
}

export interface Background {
  /** A session pauses or ends: writes its digest, then summarises what waits without waiting for the next tick. */
  readonly sessionIdle: (session: string) => Promise<void>;
  /** Takes in what hooks have spooled without waiting for the next tick. */
  readonly spooled: () => Promise<void>;
  /** Events came from transcripts: writes the digests of their sessions without waiting for the next tick. */
  readonly backfilled: () => void;
  /** Memories came from a file: makes their vectors without waiting for the next tick. */
  readonly imported: () => void;
  /** Whether the vectors of imported memories are being made. */
  readonly isEmbedding: () => boolean;
  readonly stop: () => void;
}

/** The daemon's own work, until it is stopped. */
export function startBackground(options: BackgroundOptions): Background {
  const { stop, ...work } = consolidate(options);
  const prepare = readiness(options);
  options.engine.call('prepareOutlines', { compacted: '' }).catch(() => {
    // A session that starts gathers it itself, and says what fails.
  });
  const preparing = setTimeout(prepare, faultNumber('prepare', prepareDelayMs));
  const timers = [watchIdle(options, prepare), watchHome(options), watchProgram(options)];
  return {
    ...work,
    stop: () => {
      stop();
      clearTimeout(preparing);
      for (const timer of timers) clearInterval(timer);
    },
  };
}

function consolidate({ engine, logger, drainSpool, tickMs }: BackgroundOptions): Background {
  let lastError: string | undefined;
  let embedding = 0;
  let draining: Promise<void> = Promise.resolve();
  // One after the other: each sets the spool aside under the same name.
  const drainSpoolInTurn = (): Promise<void> => {
    const turn = draining.then(drainSpool);
    draining = turn.catch(() => {
      // The caller of that turn gets the error.
    });
    return turn;
  };
  const tick = async (): Promise<void> => {
    await drainSpoolInTurn();
    const { processed, firstError } = await engine.call('tick');
    if (processed > 0) logger.info({ processed }, 'drained');
    // Logged once while it stays the same.
    if (firstError !== undefined && firstError !== lastError)
      logger.warn({ error: firstError }, 'drain failed');
    lastError = firstError;
  };
  const failed = (error: unknown): void => logger.error({ error: messageOf(error) }, 'consolidation failed');
  const ticks = repeat({ delayMs: tickMs, intervalMs: tickMs, run: tick, failed });
  return {
    sessionIdle: async (session) => {
      await drainSpoolInTurn();
      await engine.call('digest', { session });
      ticks.wake();
    },
    spooled: drainSpoolInTurn,
    backfilled: () => void engine.call('digestQuiet').catch(failed),
    imported: () => {
      embedding += 1;
      void engine
        .call('embed')
        .catch(failed)
        .then(() => {
          embedding -= 1;
        });
    },
    isEmbedding: () => embedding > 0,
    stop: () => void ticks.stop(),
  };
}

/** Has what search keeps in memory read before the first search needs it, and dropped while nobody is there. */
function readiness({ engine, lastActive }: Pick<BackgroundOptions, 'engine' | 'lastActive'>): () => void {
  let isReady = false;
  return () => {
    const isWanted = performance.now() - lastActive() < restAfterMs;
    if (isWanted === isReady) return;
    isReady = isWanted;
    engine.call(isWanted ? 'prepare' : 'rest').catch(() => {
      // A search reads it itself, and says what fails.
    });
  };
}

function watchIdle(
  { idleMinutes, lastActive, leave }: BackgroundOptions,
  prepare: () => void,
): NodeJS.Timeout {
  const limitMs = idleMinutes === 0 ? Number.POSITIVE_INFINITY : idleMinutes * 60_000;
  return setInterval(
    () => {
      if (performance.now() - lastActive() >= limitMs) leave(`idle for ${idleMinutes} minutes`, true);
      else prepare();
    },
    Math.min(idleCheckMs, limitMs),
  );
}

/** A daemon whose folder or database was removed would serve nobody, and another one may have replaced it. */
function watchHome({ engine, isHome, isOwnDatabase, lost }: BackgroundOptions): NodeJS.Timeout {
  return setInterval(() => {
    if (!isHome()) lost();
    // This ends the engine, and so the daemon.
    if (!isOwnDatabase()) engine.call('mustBeInPlace').catch(() => {});
  }, homeCheckMs);
}

/** After an uninstallation no command is left to stop it. An update removes the program only for a moment. */
function watchProgram({ leave }: BackgroundOptions): NodeJS.Timeout {
  let goneChecks = 0;
  return setInterval(() => {
    goneChecks = programState() === 'gone' ? goneChecks + 1 : 0;
    if (goneChecks === programGoneChecks) leave('its program was removed', false);
  }, homeCheckMs);
}
