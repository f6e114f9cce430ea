import { faultNumber, messageOf, programChanged } from '../../core/platform/index.ts';
import { type Engine, findDamage } from '../engine/index.ts';
import type { Logger } from './logger.ts';

const databaseCheckDelayMs = 60_000;
const databaseCheckLookMs = 60 * 60_000;
const databaseCheckDueMs = 24 * 60 * 60_000;

export interface DatabaseCheckOptions {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly database: string;
  /** The bundle of the program that looks. */
  readonly script: URL;
  /** The database is marked for the next start, which mends it. */
  readonly damaged: (what: string) => void;
}

/**
 * Looks through the whole database once a day, some time after the start: the start itself only does where that is quick, and a page
 * that nobody reads would stay damaged unnoticed.
 */
export function watchDatabase({ engine, logger, database, script, damaged }: DatabaseCheckOptions): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout;
  let looking: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    // After an update the program is not the one that this daemon knows.
    if (programChanged() !== null || !isDue(await engine.call('checkedAt'))) return;
    const damage = await findDamage(script, database, signal);
    if (signal.aborted) return;
    if (damage === null) {
      await engine.call('checked', { at: new Date().toISOString() });
      return;
    }
    await engine.call('damaged', damage);
    damaged(damage);
  };
  const turn = (): void => {
    looking = look()
      .catch((error: unknown) => {
        if (!signal.aborted) logger.warn({ error: messageOf(error) }, 'the database could not be checked');
      })
      .then(() => {
        if (!signal.aborted) timer = setTimeout(turn, databaseCheckLookMs);
      });
  };
  timer = setTimeout(turn, faultNumber('database.check', databaseCheckDelayMs));
  return {
    stop: () => {
      stopping.abort();
      clearTimeout(timer);
      return looking;
    },
  };
}

/** A time that is none, or is still to come, says nothing. */
function isDue(last: string | null): boolean {
  const age = Date.now() - Date.parse(last ?? '');
  return !(age >= 0 && age < databaseCheckDueMs);
}
