import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Logger } from './logger.ts';

const loopDelayWarnMs = 50;
const loopDelaySampleMs = 20;
const loopDelayCheckMs = 10_000;

export interface EventLoopWatch {
  /** The longest delay of this thread since the watch began, to within `loopDelaySampleMs`. */
  maxMs(): number;
  /** Watches from now on, until no request has come for `loopDelayCheckMs`. */
  wake(): void;
  stop(): void;
}

/**
 * Logs delays of this thread, which answers captures. A sample wakes the processor fifty times a second, so none are taken while no
 * client waits for an answer.
 */
export function watchEventLoop(logger: Logger): EventLoopWatch {
  const delay = monitorEventLoopDelay({ resolution: loopDelaySampleMs });
  let longestMs = 0;
  let timer: NodeJS.Timeout | null = null;
  let wasAsked = true;
  // What is measured is the time between two samples: one interval when there is no delay.
  const lately = (): number => Math.max(0, Math.round(delay.max / 1e6) - loopDelaySampleMs);
  const rest = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
    delay.disable();
  };
  const check = (): void => {
    const maxMs = lately();
    longestMs = Math.max(longestMs, maxMs);
    if (maxMs > loopDelayWarnMs) logger.warn({ maxMs, limitMs: loopDelayWarnMs }, 'event loop was delayed');
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
