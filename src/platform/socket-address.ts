import fs from 'node:fs';
import path from 'node:path';
import { Failure } from './failure.ts';

/**
 * Bytes of `sun_path` without the closing NUL: 108 on Linux (unix(7)), 104 on macOS. Node 20 cuts a longer
 * path in silence and reports success, so the bound is ours to keep.
 */
const addressBytesMax = process.platform === 'linux' ? 107 : 103;

/** An address that fits the platform, and what has to stay open while it is in use. */
export interface SocketAddress {
  readonly address: string;
  readonly release: () => void;
}

/**
 * The address of the socket `file`, short enough for the platform. A long one is reached through an open
 * descriptor of its folder (`/proc/self/fd/N/name`, proc(5)), which is the same file, never a cut path.
 * @throws Failure `path_too_long` where the platform has no such way.
 */
export function socketAddress(file: string): SocketAddress {
  if (Buffer.byteLength(file) <= addressBytesMax) return { address: file, release: () => {} };
  if (process.platform !== 'linux') {
    throw new Failure('path_too_long', `the socket path ${file} is longer than ${addressBytesMax} bytes`, {
      safe: 'nothing was started',
      repair: 'use a shorter HOME or a shorter MEMD_NS',
    });
  }
  const folder = fs.openSync(path.dirname(file), fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  let isOpen = true;
  return {
    address: `/proc/self/fd/${folder}/${path.basename(file)}`,
    release: () => {
      // Closing twice would close whatever has got the number in between.
      if (isOpen) fs.closeSync(folder);
      isOpen = false;
    },
  };
}
