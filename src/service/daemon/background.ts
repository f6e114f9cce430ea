import { homeCheckMs } from '../../core/limits.ts';
import { messageOf, programState } from '../../core/platform/index.ts';
import type { Engine } from '../engine/index.ts';
import type { Logger } from './logger.ts';

const idleCheckMs = 15_000;
const programGoneLooks = 2;

export interface BackgroundOptions {
  readonly engine: Engine;
  readonly logger: Logger;
  /** Takes in what hooks have spooled because this daemon was too busy to answer them. */
  readonly takeIn: () => Promise<void>;
  readonly tickMs: number;
  /** 0: stays for ever. */
  readonly idleMinutes: number;
  /** `performance.now()` of the last moment at which a request was under way. */
  readonly lastActive: () => number;
  /** `comesBack`: whoever needs the daemon brings it back. */
  readonly leave: (reason: string, comesBack: boolean) => void;
  /** Whether this workspace's folder is still the one that the daemon was started on. */
  readonly isHome: () => boolean;
  readonly lost: () => void;
  /** Whether the database is still the file that was opened. */
  readonly isOwnDatabase: () => boolean;
}

export interface Background {
  /** A session comes to rest: its digest is written, then what waits is summarised, now instead of at the next tick. */
  readonly rest: (session: string) => Promise<void>;
  readonly stop: () => void;
}

/** What the daemon does without being asked, until it is stopped. */
export function startBackground(options: BackgroundOptions): Background {
  const { rest, stop } = consolidate(options);
  const stops = [stop, stopWhenIdle(options), watchHome(options), watchProgram(options)];
  return {
    rest,
    stop: () => {
      for (const end of stops) end();
    },
  };
}

/** Ticks follow each other with a pause between: a slow model never piles them up. */
function consolidate({ engine, logger, takeIn, tickMs }: BackgroundOptions): Background {
  let stopped = false;
  let timer: NodeJS.Timeout;
  let lastError: string | undefined;
  let isTicking = false;
  let isWanted = false;
  let taking: Promise<void> = Promise.resolve();
  // One after the other: each sets the spool aside under the same name.
  const drainSpoolOnce = (): Promise<void> => {
    const turn = taking.then(takeIn);
    taking = turn.catch(() => {
      // Told to whoever waits for that turn.
    });
    return turn;
  };
  const tick = async (): Promise<void> => {
    isTicking = true;
    isWanted = false;
    try {
      await drainSpoolOnce();
      const { processed, firstError } = await engine.call('tick');
      if (processed > 0) logger.info({ processed }, 'drained');
      // Said once, not every tick, while it stays the same.
      if (firstError !== undefined && firstError !== lastError)
        logger.warn({ error: firstError }, 'drain failed');
      lastError = firstError;
    } catch (error) {
      if (!stopped) logger.error({ error: messageOf(error) }, 'consolidation failed');
    }
    isTicking = false;
    if (!stopped) timer = setTimeout(() => void tick(), isWanted ? 0 : tickMs);
  };
  timer = setTimeout(() => void tick(), tickMs);
  /** However often it is called, one tick more: the one under way may have looked for work before. */
  const wake = (): void => {
    isWanted = true;
    if (isTicking || stopped) return;
    clearTimeout(timer);
    timer = setTimeout(() => void tick(), 0);
  };
  return {
    rest: async (session) => {
      await drainSpoolOnce();
      await engine.call('digest', { session });
      wake();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function stopWhenIdle({ idleMinutes, lastActive, leave }: BackgroundOptions): () => void {
  if (idleMinutes === 0) return () => {};
  const limitMs = idleMinutes * 60_000;
  const timer = setInterval(
    () => {
      if (performance.now() - lastActive() >= limitMs) leave(`idle for ${idleMinutes} minutes`, true);
    },
    Math.min(idleCheckMs, limitMs),
  );
  return () => clearInterval(timer);
}

/** A daemon whose folder was removed would answer nobody for ever, and another one may have taken its place. So with its database. */
function watchHome({ engine, isHome, isOwnDatabase, lost }: BackgroundOptions): () => void {
  const timer = setInterval(() => {
    if (!isHome()) lost();
    // The engine ends for it, and the daemon with it.
    if (!isOwnDatabase()) engine.call('mustBeInPlace').catch(() => {});
  }, homeCheckMs);
  return () => clearInterval(timer);
}

/** After an uninstallation nobody is left who could stop it. An update takes the program away for a moment only. */
function watchProgram({ leave }: BackgroundOptions): () => void {
  let looksGone = 0;
  const timer = setInterval(() => {
    looksGone = programState() === 'gone' ? looksGone + 1 : 0;
    if (looksGone === programGoneLooks) leave('its program was removed', false);
  }, homeCheckMs);
  return () => clearInterval(timer);
}
