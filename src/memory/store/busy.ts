import { Failure } from '#core/platform';

/**
 * Whether SQLite has failed because of a lock, not because of the file: SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL and the I/O
 * errors of locking (https://www.sqlite.org/rescode.html). Some errors of the driver have only a message.
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

/** The failure for such an error. Code `busy`. */
export function lockFailure(file: string, cause: unknown): Failure {
  return new Failure('busy', `the database is locked: another program holds ${file}`, {
    safe: 'nothing is lost',
    repair: `wait until that program (a backup, an SQL shell) has ended, then try again (\`lsof '${file}'\` shows it)`,
    cause,
  });
}

/** Also for a failure from another thread. */
export function isBusy(error: unknown): boolean {
  return error instanceof Failure && error.code === 'busy';
}

/** For code that continues after any other error. @throws the failure `busy` */
export function rethrowBusy(error: unknown): void {
  if (isBusy(error)) throw error;
}
