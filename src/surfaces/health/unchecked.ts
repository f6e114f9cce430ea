import { errorCode, Failure, messageOf } from '../../core/platform/index.ts';
import type { Found } from './check.ts';

/** In a world that is broken, the system and SQLite refuse what else they never do; anything but that is ours. */
export function isExpected(error: unknown): boolean {
  return error instanceof Failure || errorCode(error) !== undefined;
}

/** What a look could not see, for the reason in `error`; a mistake of our own is thrown on. */
export function unchecked(error: unknown, place: string | null = null): Found {
  if (!isExpected(error)) throw error;
  const told = error instanceof Failure ? error : { what: messageOf(error), repair: null };
  return {
    severity: 'warning',
    sentence: 'this could not be looked at',
    detail: place === null ? told.what : `${place}: ${told.what}`,
    repair: told.repair ?? 'put that right, then run: memd doctor',
    isFixable: false,
  };
}
