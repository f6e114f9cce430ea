/** The inherited umask, when it is not the one in force. */
let given: number | null = null;

/** Call first in a program that writes: a umask like 0277 would create files that their owner cannot use. Not in a thread. */
export function keepOwnRights(): void {
  const umask = process.umask(0o077);
  const own = umask & 0o077;
  process.umask(own);
  if (own !== umask) given = umask;
}

/** Starts a program of the user's (a browser) under the inherited umask. */
export function underGivenUmask<T>(start: () => T): T {
  if (given === null) return start();
  const own = process.umask(given);
  try {
    return start();
  } finally {
    process.umask(own);
  }
}
