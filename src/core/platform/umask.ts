/** The umask that this process was given, as long as it is not the one in force. */
let given: number | null = null;

/**
 * First thing in whatever writes: a umask that masks its owner's own rights (0277, 0777) would leave files behind that their
 * owner cannot use. What it masks of others' rights stays; our own files name their modes anyhow. Not in a thread.
 */
export function keepOwnRights(): void {
  const umask = process.umask(0o077);
  const own = umask & 0o077;
  process.umask(own);
  if (own !== umask) given = umask;
}

/** Starts a program of the user's (a browser) under the umask that this process was given. */
export function underGivenUmask<T>(start: () => T): T {
  if (given === null) return start();
  const own = process.umask(given);
  try {
    return start();
  } finally {
    process.umask(own);
  }
}
