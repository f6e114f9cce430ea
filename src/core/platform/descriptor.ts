import fs from 'node:fs';

const newline = 0x0a;

export interface DurableFile {
  stat(): fs.Stats;
  write(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>;
  truncate(length: number): Promise<void>;
  datasync(): Promise<void>;
  /**
   * Whether no other program changed it: `file` still names it, it has `size` bytes (or more, with `atLeast`), and a newline
   * precedes the byte at `line`. A file that was cut before the last write has a hole there.
   */
  isAsWritten(file: string, size: number, line: number, atLeast: boolean): boolean;
  close(): Promise<void>;
}

/** @throws the system's error */
export async function openPrivate(file: string, flags: number): Promise<DurableFile> {
  const handle = await new Promise<number>((resolve, reject) => {
    fs.open(file, flags, 0o600, (error, opened) => (error === null ? resolve(opened) : reject(error)));
  });
  const opened = new Descriptor(handle);
  await opened.chmod(0o600);
  return opened;
}

/** The callbacks of `fs` take a third less time than the promises of a `FileHandle`; an acknowledgement waits for two. */
class Descriptor implements DurableFile {
  readonly #descriptor: number;
  #own: fs.BigIntStats | null = null;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  write(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesWritten: number }> {
    return new Promise((resolve, reject) => {
      fs.write(this.#descriptor, buffer, offset, length, position, (error, bytesWritten) =>
        error === null ? resolve({ bytesWritten }) : reject(error),
      );
    });
  }

  truncate(length: number): Promise<void> {
    return settled((done) => fs.ftruncate(this.#descriptor, length, done));
  }

  stat(): fs.Stats {
    return fs.fstatSync(this.#descriptor);
  }

  datasync(): Promise<void> {
    return settled((done) => fs.fdatasync(this.#descriptor, done));
  }

  isAsWritten(file: string, size: number, line: number, atLeast: boolean): boolean {
    // One call for identity and size: an acknowledgement waits for it.
    this.#own ??= fs.fstatSync(this.#descriptor, { bigint: true });
    const there = fs.lstatSync(file, { bigint: true, throwIfNoEntry: false });
    if (there === undefined || there.ino !== this.#own.ino || there.dev !== this.#own.dev) return false;
    if (there.size < size || (there.size > size && !atLeast)) return false;
    if (line === 0) return true;
    const before = Buffer.allocUnsafe(1);
    return fs.readSync(this.#descriptor, before, 0, 1, line - 1) === 1 && before[0] === newline;
  }

  chmod(mode: number): Promise<void> {
    return settled((done) => fs.fchmod(this.#descriptor, mode, done));
  }

  close(): Promise<void> {
    return settled((done) => fs.close(this.#descriptor, done));
  }
}

function settled(begin: (done: (error: Error | null | undefined) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    begin((error) => (error ? reject(error) : resolve()));
  });
}
