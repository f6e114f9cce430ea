import fs from 'node:fs';
import path from 'node:path';
import { Failure } from './failure.ts';
import { checkPrivate, lstatIfThere } from './files.ts';

/**
 * Bytes of `sun_path` without the closing NUL: 108 on Linux (unix(7)), 104 on macOS. Node 20 cuts a longer
 * path silently and reports success.
 */
const addressBytesMax = { linux: 107, others: 103 };

/** An address that fits the platform, and what has to stay open while it is in use. */
export interface SocketAddress {
  readonly address: string;
  readonly release: () => void;
}

/**
 * `socketAddress` for a client: only when socket and folder belong to this user and are closed to others. The connection
 * reports a missing socket.
 * @throws Failure `unsafe_folder` / `unsafe_socket` with the name and the command that repairs it; `path_too_long`
 */
export function privateSocketAddress(file: string): SocketAddress {
  const folder = path.dirname(file);
  const holds = lstatIfThere(folder);
  if (holds !== null) checkPrivate(folder, holds, 'folder');
  const stat = lstatIfThere(file);
  if (stat !== null && (stat.isSocket() || stat.isSymbolicLink())) checkPrivate(file, stat, 'socket');
  return socketAddress(file);
}

/**
 * The address of the socket `file`, short enough for the platform. A long one is reached through an open
 * descriptor of its folder (`/proc/self/fd/N/name`, proc(5)), which is the same file, never a cut path.
 * @throws Failure `path_too_long` where the platform has no such way.
 */
export function socketAddress(file: string, platform = process.platform): SocketAddress {
  const bytesMax = platform === 'linux' ? addressBytesMax.linux : addressBytesMax.others;
  if (Buffer.byteLength(file) <= bytesMax) return { address: file, release: () => {} };
  if (platform !== 'linux')
    throw new Failure('path_too_long', `the socket path ${file} is longer than ${bytesMax} bytes`, {
      safe: 'nothing was started',
      repair: 'use a shorter HOME or a shorter MEMD_NS',
    });
  const folder = fs.openSync(path.dirname(file), fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  let isOpen = true;
  return {
    address: `/proc/self/fd/${folder}/${path.basename(file)}`,
    release: () => {
      // A second close could close another file with this number.
      if (isOpen) fs.closeSync(folder);
      isOpen = false;
    },
  };
}
