import { homeCheckMs } from '#core/limits';
import { faultNumber, messageOf, programState } from '#core/platform';
import { repeat } from './repeat.ts';
import type { EngineContext } from './start-context.ts';

const idleCheckMs = 15_000;
/** Captures and the outline of a session that starts the daemon go first. */
const prepareDelayMs = 250;
const restAfterMs = 15 * 60_000;
const programGoneChecks = 2;

interface BackgroundOptions extends EngineContext {
  /** Stores what hooks have spooled because this daemon was too busy to answer them. */
  readonly drainSpool: () => Promise<void>;
  /** `performance.now()` of the last activity. */
  readonly lastActive: () => number;
  /** Whether the workspace's folder is still the one of the start. */
  readonly isHome: () => boolean;
  readonly lost: () => void;
  /** Whether the database is still the file that was opened. */
  readonly isOwnDatabase: () => boolean;
}

export type Background = Readonly<ReturnType<typeof consolidate>>;

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

function consolidate({ engine, logger, drainSpool, config }: BackgroundOptions) {
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
    const { processed, firstError, isUnfinished } = await engine.call('tick');
    if (processed > 0) logger.info({ processed }, 'drained');
    // Logged once while it stays the same.
    if (firstError !== undefined && firstError !== lastError)
      logger.warn({ error: firstError }, 'drain failed');
    lastError = firstError;
    if (isUnfinished === true) ticks.wake();
  };
  const failed = (error: unknown): void => logger.error({ error: messageOf(error) }, 'consolidation failed');
  const tickMs = config['drain.tickMs'];
  const ticks = repeat({ delayMs: tickMs, intervalMs: tickMs, run: tick, failed });
  return {
    /** A session pauses or ends: writes its digest, then summarises what waits without waiting for the next tick. */
    sessionIdle: async (session: string): Promise<void> => {
      await drainSpoolInTurn();
      await engine.call('digest', { session });
      ticks.wake();
    },
    /** Takes in what hooks have spooled without waiting for the next tick. */
    spooled: drainSpoolInTurn,
    /** Events came from transcripts: writes the digests of their sessions without waiting for the next tick. */
    backfilled: () => void engine.call('digestQuiet').catch(failed),
    /** Memories came from a file: makes their vectors without waiting for the next tick. */
    imported: (): void => {
      embedding += 1;
      void engine
        .call('embed')
        .catch(failed)
        .then(() => {
          embedding -= 1;
        });
    },
    /** Whether the vectors of imported memories are being made. */
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

function watchIdle({ config, lastActive, shutdown }: BackgroundOptions, prepare: () => void): NodeJS.Timeout {
  const { idleMinutes } = config;
  const limitMs = idleMinutes === 0 ? Number.POSITIVE_INFINITY : idleMinutes * 60_000;
  return setInterval(
    () => {
      if (performance.now() - lastActive() >= limitMs)
        void shutdown.stop(`idle for ${idleMinutes} minutes`, true);
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
function watchProgram({ shutdown }: BackgroundOptions): NodeJS.Timeout {
  let goneChecks = 0;
  return setInterval(() => {
    goneChecks = programState() === 'gone' ? goneChecks + 1 : 0;
    if (goneChecks === programGoneChecks) void shutdown.stop('its program was removed');
  }, homeCheckMs);
}
