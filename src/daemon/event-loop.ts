import { monitorEventLoopDelay } from 'node:perf_hooks';
import { loopDelayCheckMs, loopDelaySampleMs, loopDelayWarnMs } from '../limits.ts';
import type { Logger } from './logger.ts';

export interface EventLoopWatch {
  /** The longest that this thread was held up since the watch began, to within `loopDelaySampleMs`. */
  maxMs(): number;
  stop(): void;
}

/** Captures are answered on this thread: whatever holds it up is counted, and worth a line in the log. */
export function watchEventLoop(logger: Logger): EventLoopWatch {
  const delay = monitorEventLoopDelay({ resolution: loopDelaySampleMs });
  delay.enable();
  let longestMs = 0;
  // The time between two samples is told, which is one interval when nothing is held up.
  const lately = (): number => Math.max(0, Math.round(delay.max / 1e6) - loopDelaySampleMs);
  const timer = setInterval(() => {
    const maxMs = lately();
    longestMs = Math.max(longestMs, maxMs);
    if (maxMs > loopDelayWarnMs) logger.warn({ maxMs, limitMs: loopDelayWarnMs }, 'event loop was held up');
    delay.reset();
  }, loopDelayCheckMs);
  return {
    maxMs: () => Math.max(longestMs, lately()),
    stop: () => {
      clearInterval(timer);
      delay.disable();
    },
  };
}
