import type { Engine } from '../engine/index.ts';
import { homeCheckMs, idleCheckMs } from '../limits.ts';
import { messageOf } from '../platform/index.ts';
import type { Logger } from './logger.ts';

export interface BackgroundOptions {
  readonly engine: Engine;
  readonly logger: Logger;
  /** Takes in what hooks have spooled because this daemon was too busy to answer them. */
  readonly takeIn: () => Promise<void>;
  readonly tickMs: number;
  /** 0: stays for ever. */
  readonly idleMinutes: number;
  /** `performance.now()` of the last request. */
  readonly lastActive: () => number;
  readonly leave: (reason: string) => void;
  /** Whether this workspace's folder is still the one that the daemon was started on. */
  readonly isHome: () => boolean;
  readonly lost: () => void;
}

/** What the daemon does without being asked. Stops when the answer is called. */
export function startBackground(options: BackgroundOptions): () => void {
  const stops = [consolidate(options), leaveWhenIdle(options), watchHome(options)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Ticks follow each other with a pause between: a slow model never piles them up. */
function consolidate({ engine, logger, takeIn, tickMs }: BackgroundOptions): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout;
  let lastError: string | undefined;
  const tick = async (): Promise<void> => {
    try {
      await takeIn();
      const { processed, firstError } = await engine.call('tick');
      if (processed > 0) logger.info({ processed }, 'drained');
      // Said once, not every tick, while it stays the same.
      if (firstError !== undefined && firstError !== lastError)
        logger.warn({ error: firstError }, 'drain failed');
      lastError = firstError;
    } catch (error) {
      if (!stopped) logger.error({ error: messageOf(error) }, 'consolidation failed');
    }
    if (!stopped) timer = setTimeout(() => void tick(), tickMs);
  };
  timer = setTimeout(() => void tick(), tickMs);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

function leaveWhenIdle({ idleMinutes, lastActive, leave }: BackgroundOptions): () => void {
  if (idleMinutes === 0) return () => {};
  const limitMs = idleMinutes * 60_000;
  const timer = setInterval(
    () => {
      if (performance.now() - lastActive() >= limitMs) leave(`idle for ${idleMinutes} minutes`);
    },
    Math.min(idleCheckMs, limitMs),
  );
  return () => clearInterval(timer);
}

/** A daemon whose folder was removed would answer nobody for ever, and another one may have taken its place. */
function watchHome({ isHome, lost }: BackgroundOptions): () => void {
  const timer = setInterval(() => {
    if (!isHome()) lost();
  }, homeCheckMs);
  return () => clearInterval(timer);
}
