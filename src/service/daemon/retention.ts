import type { Config } from '../../core/config/index.ts';
import { messageOf } from '../../core/platform/index.ts';
import type { Engine } from '../engine/index.ts';
import type { Logger } from './logger.ts';

// Behind the first tick, and then once an hour: without anything to do it is two look-ups.
const retentionDelayMs = 60_000;
const retentionIntervalMs = 60 * 60_000;

export interface RetentionWatch {
  /** For the user, while the database is larger than it may be and nothing can shrink. */
  warning(): string | null;
  stop(): void;
}

/** Has the engine shrink what is too old or too much, some time after the start and then every hour. */
export function startRetention(
  { engine, logger }: { readonly engine: Engine; readonly logger: Logger },
  config: Pick<Config, 'drain.tickMs' | 'retention.databaseMiB'>,
): RetentionWatch {
  let stopped = false;
  let warning: string | null = null;
  let timer: NodeJS.Timeout;
  const run = async (): Promise<void> => {
    try {
      const { isOver, ...done } = await engine.call('retain');
      if (done.shrunk + done.pagesFreed > 0) logger.info(done, 'retention');
      const told = warning;
      warning = isOver ? overWarning(done.usedMiB, config['retention.databaseMiB']) : null;
      if (warning !== null && told === null) logger.warn(warning);
    } catch (error) {
      if (!stopped) logger.error({ error: messageOf(error) }, 'retention failed');
    }
    if (!stopped) timer = setTimeout(() => void run(), retentionIntervalMs);
  };
  // Behind the first tick: what waited is summarised first.
  timer = setTimeout(() => void run(), Math.min(2 * config['drain.tickMs'], retentionDelayMs));
  return {
    warning: () => warning,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function overWarning(usedMiB: number, limitMiB: number): string {
  return `the database holds ${usedMiB} MiB, more than retention.databaseMiB (${limitMiB}), though every payload that may shrink has shrunk; nothing is lost; run: mem prune --confirm (and memd drain, if events wait), or raise the limit`;
}
