import { faultNumber, messageOf, programChanged } from '#core/platform';
import { findDamage } from '#service/engine';
import { repeat } from './repeat.ts';
import type { EngineContext } from './start-context.ts';

const databaseCheckDelayMs = 60_000;
const databaseCheckIntervalMs = 60 * 60_000;
const databaseCheckDueMs = 24 * 60 * 60_000;

/** Checks the whole database once a day. The start checks it only where that is quick, and damage in a page that nothing reads would stay unnoticed. */
export function watchDatabase({ engine, logger, workspace, scripts, shutdown }: EngineContext) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    // After an update the check program is of another version than this daemon.
    if (programChanged() !== null || !isDue(await engine.call('checkedAt'))) return;
    const damage = await findDamage(scripts.check, workspace.database, signal);
    if (signal.aborted) return;
    if (damage === null) {
      await engine.call('checked', { at: new Date().toISOString() });
      return;
    }
    await engine.call('damaged', damage);
    shutdown.damaged(damage);
  };
  const checks = repeat({
    delayMs: faultNumber('database.check', databaseCheckDelayMs),
    intervalMs: databaseCheckIntervalMs,
    run,
    failed: (error) => logger.warn({ error: messageOf(error) }, 'the database could not be checked'),
  });
  return {
    stop: () => {
      stopping.abort();
      return checks.stop();
    },
  };
}

/** A time that is missing or in the future does not count. */
function isDue(last: string | null): boolean {
  const age = Date.now() - Date.parse(last ?? '');
  return !(age >= 0 && age < databaseCheckDueMs);
}
