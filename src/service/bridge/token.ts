import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {
  checkPrivate,
  errorCode,
  Failure,
  lstatIfThere,
  orElse,
  removeIfThere,
  syncFolder,
  withDescriptor,
  writeWhole,
} from '#core/platform';

/** Compares other texts with this one, in constant time; only its hash is kept. */
export function comparedWith(text: string): (other: string) => boolean {
  const own = hashOf(text);
  return (other) => timingSafeEqual(hashOf(other), own);
}

export type Token = ReturnType<typeof watchedToken>;

/**
 * The current token: that of the file, also after another daemon of this user has replaced it, when `changed` is called.
 * @throws Failure as `tokenIn`
 */
export function watchedToken(file: string, changed: () => void) {
  let token = tokenIn(file);
  let fits = comparedWith(token);
  let seen = markOf(file);
  let replacedAt: Date | null = null;
  /** Whether it is a new one. */
  const take = (text: string): boolean => {
    if (text === token) return false;
    token = text;
    fits = comparedWith(text);
    changed();
    return true;
  };
  /** Reads a changed file. A missing or broken file counts only at the next start. */
  const look = (): void => {
    const mark = markOf(file);
    if (mark === null || mark === seen) return;
    seen = mark;
    try {
      if (take(read(file))) replacedAt = new Date();
    } catch (error) {
      if (!(error instanceof Failure) && errorCode(error) === undefined) throw error;
    }
  };
  return {
    look,
    get text(): string {
      look();
      return token;
    },
    fits: (text: string): boolean => {
      look();
      return fits(text);
    },
    /** When another program wrote a new token into the file; null: none did. */
    get replacedAt(): Date | null {
      look();
      return replacedAt;
    },
    /** A new token, here and in the file. The old one is refused even if writing the file fails. */
    rotate: (): void => {
      const text = newToken();
      take(text);
      try {
        writeWhole(file, text);
        seen = markOf(file);
      } catch (error) {
        // The next start makes a new one.
        removeIfThere(file);
        throw error;
      }
    },
  };
}

/** Changes when the file is replaced; null when it cannot be read. */
function markOf(file: string): string | null {
  // It is missing, or its folder is not accessible.
  return orElse(() => {
    const { ino, mtimeNs, ctimeNs } = fs.lstatSync(file, { bigint: true });
    return `${ino} ${mtimeNs} ${ctimeNs}`;
  }, null);
}

/** 32 random bytes as 64 hexadecimal characters. */
export function newToken(): string {
  return randomBytes(32).toString('hex');
}

/** Whether the text is a valid token file: a token, with or without a newline. */
export function isToken(text: string): boolean {
  return /^[0-9a-f]{64}\n?$/.test(text);
}

/**
 * The token of this user; made if the file is missing. Simultaneous daemons end with one token: each writes a temporary file and links it
 * to the name if that is free (link(2) never replaces).
 * @throws Failure naming the file: a wrong mode, owner or link, of it or its folder, or something else in it
 */
export function tokenIn(file: string): string {
  const folder = path.dirname(file);
  checkPrivate(folder, fs.lstatSync(folder), 'folder');
  if (lstatIfThere(file) === null) create(file);
  return read(file);
}

function create(file: string): void {
  const folder = path.dirname(file);
  // Process ids of two systems that share a home may be equal.
  const temporary = `${file}.${randomBytes(6).toString('hex')}.${process.pid}.tmp`;
  try {
    withDescriptor(fs.openSync(temporary, 'wx', 0o600), (fd) => {
      fs.fchmodSync(fd, 0o600);
      fs.writeSync(fd, newToken());
      fs.fsyncSync(fd);
    });
    fs.linkSync(temporary, file);
  } catch (error) {
    // Another daemon was first: its token is the one.
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    removeIfThere(temporary);
  }
  syncFolder(folder);
}

/** Checks and reads the same open file, which a rename cannot exchange. */
function read(file: string): string {
  checkPrivate(file, fs.lstatSync(file), 'file');
  const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  const text = withDescriptor(fd, () => {
    checkPrivate(file, fs.fstatSync(fd), 'file');
    // One byte more than a token and its newline shows a file that is too long.
    const bytes = Buffer.alloc(tokenChars + 2);
    return bytes.toString('latin1', 0, fs.readSync(fd, bytes, 0, bytes.length, 0));
  });
  if (isToken(text)) return text.trimEnd();
  throw new Failure('bad_token', `${file} does not hold a token of ${tokenChars} hexadecimal characters`, {
    safe: 'nothing was changed',
    repair: 'remove it, then run `memd restart`',
  });
}

const tokenChars = 64;

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
