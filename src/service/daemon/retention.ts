import type { Config } from '#core/config';
import { messageOf } from '#core/platform';
import type { Engine } from '#service/engine';
import type { Logger } from './logger.ts';
import { repeat } from './repeat.ts';

const retentionDelayMs = 60_000;
const retentionIntervalMs = 60 * 60_000;

/** Has the engine shrink old or excess payloads, every hour. */
export function startRetention(
  { engine, logger }: { readonly engine: Engine; readonly logger: Logger },
  config: Pick<Config, 'drain.tickMs' | 'retention.databaseMiB'>,
) {
  let warning: string | null = null;
  const run = async (): Promise<void> => {
    const { isOver, ...done } = await engine.call('retain');
    if (done.shrunk + done.pagesFreed > 0) logger.info(done, 'retention');
    const isNew = warning === null;
    warning = isOver ? overWarning(done.usedMiB, config['retention.databaseMiB']) : null;
    if (warning !== null && isNew) logger.warn(warning);
  };
  const runs = repeat({
    // After the first tick: waiting events are summarised first.
    delayMs: Math.min(2 * config['drain.tickMs'], retentionDelayMs),
    intervalMs: retentionIntervalMs,
    run,
    failed: (error) => logger.error({ error: messageOf(error) }, 'retention failed'),
  });
  return {
    /** For the user, while the database is over its limit and nothing can shrink. */
    warning: () => warning,
    stop: runs.stop,
  };
}

function overWarning(usedMiB: number, limitMiB: number): string {
  return `the database has ${usedMiB} MiB, more than retention.databaseMiB (${limitMiB}), and no payload is left to shrink. No data is lost. Run \`mem prune --confirm\` (and \`memd drain\`, if events wait), or raise the limit.`;
}
