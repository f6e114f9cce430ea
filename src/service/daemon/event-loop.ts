import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Logger } from './logger.ts';

const loopDelayWarnMs = 50;
const loopDelaySampleMs = 20;
const loopDelayCheckMs = 10_000;

export interface EventLoopWatch {
  /** The longest that this thread was held up since the watch began, to within `loopDelaySampleMs`. */
  maxMs(): number;
  /** Somebody asks something: it is watched from now on, until nobody has asked for `loopDelayCheckMs`. */
  wake(): void;
  stop(): void;
}

/**
 * Captures are answered on this thread: whatever holds it up is counted, and worth a line in the log. A sample is a wake-up of
 * the processor, fifty times a second: none are taken while nobody waits for an answer.
 */
export function watchEventLoop(logger: Logger): EventLoopWatch {
  const delay = monitorEventLoopDelay({ resolution: loopDelaySampleMs });
  let longestMs = 0;
  let timer: NodeJS.Timeout | null = null;
  let wasAsked = true;
  // The time between two samples is told, which is one interval when nothing is held up.
  const lately = (): number => Math.max(0, Math.round(delay.max / 1e6) - loopDelaySampleMs);
  const rest = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
    delay.disable();
  };
  const check = (): void => {
    const maxMs = lately();
    longestMs = Math.max(longestMs, maxMs);
    if (maxMs > loopDelayWarnMs) logger.warn({ maxMs, limitMs: loopDelayWarnMs }, 'event loop was held up');
    delay.reset();
    if (!wasAsked) rest();
    wasAsked = false;
  };
  const wake = (): void => {
    wasAsked = true;
    if (timer !== null) return;
    delay.enable();
    timer = setInterval(check, loopDelayCheckMs);
  };
  wake();
  return { maxMs: () => Math.max(longestMs, lately()), wake, stop: rest };
}
