import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {
  checkPrivate,
  errorCode,
  Failure,
  lstatIfThere,
  removeIfThere,
  syncFolder,
} from '../platform/index.ts';

/** A text that others are compared with; its hash is all that is kept. */
export class Secret {
  readonly #hash: Buffer;

  constructor(text: string) {
    this.#hash = hashOf(text);
  }

  /** In a time that tells nothing of how much of it is right: hashes are compared, all of each. */
  fits(text: string): boolean {
    return timingSafeEqual(hashOf(text), this.#hash);
  }
}

/** 32 random bytes as 64 hexadecimal characters. */
export function newToken(): string {
  return randomBytes(32).toString('hex');
}

/** Whether that is what a token file may hold: a token, or one and a newline. */
export function isToken(text: string): boolean {
  return /^[0-9a-f]{64}\n?$/.test(text);
}

/**
 * The token of this user, made when there is none. Any number of daemons at once end with one token: each writes its own
 * beside, whole, and gives it the name if that is free (link(2) never replaces).
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
  // Numbers of processes may meet where two systems share a home.
  const beside = `${file}.${randomBytes(6).toString('hex')}.${process.pid}.tmp`;
  try {
    const fd = fs.openSync(beside, 'wx', 0o600);
    try {
      fs.fchmodSync(fd, 0o600);
      fs.writeSync(fd, newToken());
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
    fs.linkSync(beside, file);
  } catch (error) {
    // Another daemon was first: its token is the one.
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    removeIfThere(beside);
  }
  syncFolder(folder);
}

/** What is checked is what is read: the open file, not whatever has the name a moment later. */
function read(file: string): string {
  checkPrivate(file, fs.lstatSync(file), 'file');
  const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  try {
    checkPrivate(file, fs.fstatSync(fd), 'file');
    // One byte more than a token and its newline shows that there is too much.
    const bytes = Buffer.alloc(tokenChars + 2);
    const text = bytes.toString('latin1', 0, fs.readSync(fd, bytes, 0, bytes.length, 0));
    if (isToken(text)) return text.trimEnd();
  } finally {
    fs.closeSync(fd);
  }
  throw new Failure('bad_token', `${file} does not hold a token of ${tokenChars} hexadecimal characters`, {
    safe: 'nothing was changed',
    repair: `remove it, then run: memd restart`,
  });
}

const tokenChars = 64;

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
