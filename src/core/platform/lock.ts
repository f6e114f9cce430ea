import fs from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { Failure, messageOf } from './failure.ts';
import { closeToOthers, lstatIfThere } from './files.ts';
import { systemRepair } from './system-trouble.ts';

// A process that only checks the lock is done within this time.
const lockWaitMs = 100;

/** A lock that the kernel releases when its holder ends. */
export interface Lock {
  release(): void;
}

/**
 * Takes the exclusive lock on `file`, or returns null when another process holds it.
 * @throws Failure `lock_unusable` when it is not a file that can be locked
 *
 * Node has no `flock`, and a pid file alone does not show whether its owner or a new process has that number.
 * SQLite's exclusive transaction is a POSIX record lock with the platform's quirks already handled
 * (https://www.sqlite.org/lockingv3.html), and `kill -9` releases it. Nothing is ever written to the file.
 */
export function takeLock(file: string): Lock | null {
  // Only when it is missing: a process that closes any descriptor of a file loses its record locks on it (fcntl(2)).
  if (lstatIfThere(file) === null) fs.closeSync(fs.openSync(file, 'a', 0o600));
  closeToOthers(file);
  return unlessHeld(file, () => locked(file));
}

/** Whether another process holds that lock, or is taking it. Checks do not block each other. @throws Failure `lock_unusable` */
export function isHeld(file: string): boolean {
  if (lstatIfThere(file) === null) return false;
  return unlessHeld(file, () => looked(file)) === null;
}

/** The result of `work`, or null when another process holds the lock. */
function unlessHeld<Result>(file: string, work: () => Result): Result | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && /locked|busy/i.test(error.message)) return null;
    throw new Failure('lock_unusable', `cannot lock ${file}: ${messageOf(error)}`, {
      repair: (isPlainFile(file) ? systemRepair(error) : null) ?? 'remove that file: it holds no data',
      cause: error,
    });
  }
}

function isPlainFile(file: string): boolean {
  return lstatIfThere(file)?.isFile() === true;
}

/** Reads it, which the exclusive lock forbids and nothing else does. */
function looked(file: string): true {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    database.exec('PRAGMA busy_timeout = 0; SELECT count(*) FROM sqlite_schema');
    return true;
  } finally {
    database.close();
  }
}

function locked(file: string): Lock {
  const database = new DatabaseSync(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${lockWaitMs}; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE`);
  } catch (error) {
    database.close();
    throw error;
  }
  return { release: () => database.close() };
}
