import fs from 'node:fs';
import { promisify } from 'node:util';

const newline = 0x0a;

/** These take a third less time than the promises of a `FileHandle`; an acknowledgement waits for two. */
const open = promisify(fs.open);
const write = promisify(fs.write);
const truncate = promisify(fs.ftruncate);
const sync = promisify(fs.fdatasync);
const chmod = promisify(fs.fchmod);
const close = promisify(fs.close);

export type DurableFile = Readonly<Awaited<ReturnType<typeof openPrivate>>>;

/** @throws the system's error */
export async function openPrivate(file: string, flags: number) {
  const descriptor = await open(file, flags, 0o600);
  await chmod(descriptor, 0o600);
  let own: fs.BigIntStats | null = null;
  return {
    stat: () => fs.fstatSync(descriptor),
    write: async (buffer: Buffer, offset: number, length: number, position: number) => {
      const { bytesWritten } = await write(descriptor, buffer, offset, length, position);
      return { bytesWritten };
    },
    truncate: (length: number) => truncate(descriptor, length),
    datasync: () => sync(descriptor),
    /**
     * Whether no other program changed it: `file` still names it, it has `size` bytes (or more, with `atLeast`), and a newline
     * precedes the byte at `line`. A file that was cut before the last write has a hole there.
     */
    isAsWritten: (file: string, size: number, line: number, atLeast: boolean) => {
      // One call for identity and size: an acknowledgement waits for it.
      own ??= fs.fstatSync(descriptor, { bigint: true });
      const there = fs.lstatSync(file, { bigint: true, throwIfNoEntry: false });
      if (there === undefined || there.ino !== own.ino || there.dev !== own.dev) return false;
      if (there.size < size || (there.size > size && !atLeast)) return false;
      if (line === 0) return true;
      const before = Buffer.allocUnsafe(1);
      return fs.readSync(descriptor, before, 0, 1, line - 1) === 1 && before[0] === newline;
    },
    close: () => close(descriptor),
  };
}
