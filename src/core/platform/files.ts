import fs from 'node:fs';
import path from 'node:path';
import { errorCode, Failure, unlessCode } from './failure.ts';
import { faultPoint } from './faults.ts';

/** The whole text of a file, or null when it does not exist. */
export function readIfThere(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw named(error, file);
  }
}

/** A descriptor, or null when the file does not exist. */
export function openIfThere(file: string, flags: number): number | null {
  return unlessCode(['ENOENT'], () => fs.openSync(file, flags), null);
}

/** The system does not say which folder stands where a file belongs. */
function named(error: unknown, file: string): unknown {
  return /^(?:ERR_FS_)?EISDIR$/.test(errorCode(error) ?? '') ? notOfKind(file, 'file') : error;
}

/**
 * Replaces a file as a whole, or not at all: a reader sees the old or the new text, also after a power loss (temporary
 * file, fsync, rename, fsync of the folder). Mode 0600. `point` begins the names of its fault points.
 */
export function writeWhole(file: string, text: string, point = 'file'): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    faultPoint(`${point}.write`);
    // A killed process with this pid may have left it.
    removeIfThere(temporary);
    withDescriptor(fs.openSync(temporary, 'wx', 0o600), (fd) => {
      fs.fchmodSync(fd, 0o600);
      fs.writeFileSync(fd, text);
      faultPoint(`${point}.sync`);
      fs.fsyncSync(fd);
    });
    faultPoint(`${point}.rename`);
    fs.renameSync(temporary, file);
    faultPoint(`${point}.rename.after`);
  } catch (error) {
    removeIfThere(temporary);
    throw named(error, file);
  }
  syncFolder(path.dirname(file));
}

/** Removes temporary files of killed writers from a folder. */
export function removeLeftovers(folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    if (halfMadeBy(name) !== null) removeIfThere(path.join(folder, name));
  }
}

/** The pid in the name of a temporary file (`X.PID.tmp`, and SQLite's files next to it), else null. */
export function halfMadeBy(name: string): number | null {
  const [, pid] = /\.(\d+)\.tmp(?:-journal|-wal|-shm)?$/.exec(name) ?? [];
  return pid === undefined ? null : Number(pid);
}

/** Makes a rename or a new file in `folder` durable. */
export function syncFolder(folder: string): void {
  withDescriptor(fs.openSync(folder, 'r'), fs.fsyncSync);
}

/** The result of `work`; closes the descriptor behind it. */
export function withDescriptor<Result>(fd: number, work: (fd: number) => Result): Result {
  try {
    return work(fd);
  } finally {
    fs.closeSync(fd);
  }
}

export function removeIfThere(file: string): void {
  try {
    fs.rmSync(file, { force: true });
  } catch (error) {
    throw named(error, file);
  }
}

/**
 * Creates `folder` with mode 0700 if it is missing, and checks that it is a real directory of this user, closed to others.
 * @throws Failure `unsafe_folder` with the folder's name and the command that repairs it; `no_home` when its parent is missing
 */
export function ensurePrivateFolder(folder: string): void {
  let stat = lstatIfThere(folder);
  if (stat === null) {
    try {
      fs.mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if (errorCode(error) === 'ENOENT') throw nowhere(folder);
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    syncFolder(path.dirname(folder));
    stat = fs.lstatSync(folder);
    // A umask may take bits from mkdir's mode, never add one.
    if (stat.isDirectory() && (stat.mode & 0o777) !== 0o700 && isMine(stat)) {
      fs.chmodSync(folder, 0o700);
      stat = fs.lstatSync(folder);
    }
  }
  checkPrivate(folder, stat, 'folder');
}

function nowhere(folder: string): Failure {
  return new Failure('no_home', `${folder} cannot be made: ${path.dirname(folder)} does not exist`, {
    safe: 'nothing was read or written',
    repair: 'make it, or set HOME to an existing folder',
  });
}

/** Whether it is a refusal of `checkPrivate`. */
export function isUnsafePlace(thrown: unknown): boolean {
  return thrown instanceof Failure && thrown.code.startsWith('unsafe_');
}

type PrivateKind = 'folder' | 'file' | 'socket';

/**
 * @throws Failure `unsafe_folder` / `unsafe_file` / `unsafe_socket` when `target` is a link, another user's, or open to
 * others. `stat` is the target's own (`lstat`).
 */
export function checkPrivate(target: string, stat: fs.Stats, kind: PrivateKind): void {
  checkOwn(target, stat, kind);
  if ((stat.mode & 0o077) === 0) return;
  const mode = (stat.mode & 0o777).toString(8).padStart(4, '0');
  throw new Failure(`unsafe_${kind}`, `${target} is open to other users (mode ${mode})`, {
    safe: untouched,
    repair: `run \`chmod ${kind === 'folder' ? '700' : '600'} '${target}'\``,
  });
}

const untouched = 'nothing was read from it or written to it';

/** The same but for the mode. */
function checkOwn(target: string, stat: fs.Stats, kind: PrivateKind): void {
  const code = `unsafe_${kind}`;
  if (stat.isSymbolicLink())
    throw new Failure(code, `${target} is a symbolic link`, {
      safe: untouched,
      repair:
        kind === 'socket'
          ? 'remove it, then run `memd restart`'
          : `replace it with a real ${kind} of your own`,
    });
  if (!isOfKind(stat, kind)) throw notOfKind(target, kind);
  if (!isMine(stat))
    throw new Failure(code, `${target} belongs to another user (uid ${stat.uid})`, {
      safe: untouched,
      repair: `run \`chown ${process.getuid?.()} '${target}'\`, or remove it`,
    });
}

function notOfKind(target: string, kind: PrivateKind): Failure {
  return new Failure(`unsafe_${kind}`, `${target} is not a ${kind}`, {
    safe: untouched,
    repair: 'move it away',
  });
}

/** @throws Failure `unsafe_file` when the file exists and is not a real file of this user. Its mode and hard links do not matter. */
export function checkOwnFile(file: string): void {
  const stat = lstatIfThere(file);
  if (stat !== null) checkOwn(file, stat, 'file');
}

/**
 * Sets the mode of this user's file to 0600, if it exists. Returns whether it was open to others. By name: closing a
 * descriptor would release this process's locks on the file (fcntl(2)).
 */
export function closeToOthers(file: string): boolean {
  const stat = lstatIfThere(file);
  if (stat === null || !stat.isFile() || !isMine(stat)) return false;
  if ((stat.mode & 0o777) !== 0o600) fs.chmodSync(file, 0o600);
  return (stat.mode & 0o077) !== 0;
}

/** A descriptor for appending to a file and reading it, created with mode 0600, never through a link; a pipe in its place is not waited for. */
export function openToAdd(file: string): number {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = fs.constants;
  return fs.openSync(file, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
}

/** Appends a line, which a full disk may cut; the next one begins after the torn one. */
export function addLine(fd: number, line: string): void {
  const { size } = fs.fstatSync(fd);
  const last = Buffer.from('\n');
  if (size > 0) fs.readSync(fd, last, 0, 1, size - 1);
  fs.writeFileSync(fd, last.toString() === '\n' ? `${line}\n` : `\n${line}\n`);
}

/** Appends whole lines, or nothing, to such a file. */
export function addLines(file: string, lines: string): void {
  if (lines !== '') withDescriptor(openToAdd(file), (fd) => addLine(fd, lines.replace(/\n$/, '')));
}

/** Appends a text to such a file. */
export function addTo(file: string, text: string): void {
  withDescriptor(openToAdd(file), (fd) => fs.writeFileSync(fd, text));
}

/** A descriptor for reading, checked after the opening. @throws when it is a link, not a regular file, or another user's */
export function openOwn(file: string): number {
  const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  const stat = fs.fstatSync(fd);
  if (stat.isFile() && isMine(stat)) return fd;
  fs.closeSync(fd);
  throw new Error(`${file} is not a file of this user`);
}

function isOfKind(stat: fs.Stats, kind: PrivateKind): boolean {
  if (kind === 'folder') return stat.isDirectory();
  return kind === 'file' ? stat.isFile() : stat.isSocket();
}

/** Device and inode of a path; null when it does not exist. */
export function identityOf(file: string): string | null {
  const stat = fs.lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`;
}

/** Whether a path still names the open file: it was not removed, renamed or replaced. */
export function isFileAt(fd: number, file: string): boolean {
  const own = fs.fstatSync(fd, { bigint: true });
  return identityOf(file) === `${own.dev}:${own.ino}`;
}

/** The size of the files directly in a folder; 0 for a missing one. */
export function bytesIn(folder: string): number {
  if (lstatIfThere(folder)?.isDirectory() !== true) return 0;
  const stats = fs.readdirSync(folder).map((name) => lstatIfThere(path.join(folder, name)));
  return stats.reduce((sum, stat) => sum + (stat?.isFile() ? stat.size : 0), 0);
}

export function lstatIfThere(target: string): fs.Stats | null {
  return fs.lstatSync(target, { throwIfNoEntry: false }) ?? null;
}

export function isMine(stat: fs.Stats): boolean {
  const uid = process.getuid?.();
  return uid === undefined || stat.uid === uid;
}
