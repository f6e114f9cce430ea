import { Failure } from '../../core/platform/index.ts';

/**
 * Whether SQLite has refused because of a lock, which says nothing about the file: SQLITE_BUSY and SQLITE_LOCKED with their
 * kin, SQLITE_PROTOCOL, and the I/O errors of taking a lock (https://www.sqlite.org/rescode.html). The driver gives words alone for
 * some errors.
 */
export function isLockError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!('errcode' in error) || typeof error.errcode !== 'number')
    return /^(?:database (?:table |schema )?is locked|locking protocol)/.test(error.message);
  return lockCodes.has(error.errcode & 0xff) || lockInputCodes.has(error.errcode);
}

/** BUSY, LOCKED, PROTOCOL, in the low byte. */
const lockCodes: ReadonlySet<number> = new Set([5, 6, 15]);
/** SQLITE_IOERR_UNLOCK, _RDLOCK, _BLOCKED, _CHECKRESERVEDLOCK, _LOCK and _SHMLOCK. */
const lockInputCodes: ReadonlySet<number> = new Set([2058, 2314, 2826, 3594, 3850, 5130]);

/** What is said instead of such an error. Code `busy`. */
export function lockFailure(file: string, cause: unknown): Failure {
  return new Failure('busy', `the database is locked: another program holds ${file}`, {
    safe: 'nothing is lost',
    repair: `wait until that program is done (a backup, an SQL shell), or end it, then try again; lsof '${file}' shows it`,
    cause,
  });
}

/** Whether it is that failure, also one that came from another thread. */
export function isBusy(error: unknown): boolean {
  return error instanceof Failure && error.code === 'busy';
}

/** For those who go on after any other error: a lock is waited for by whoever asked. @throws that failure */
export function rethrowBusy(error: unknown): void {
  if (isBusy(error)) throw error;
}
