import { type FileHandle, open } from 'node:fs/promises';
import { logBatchBytesMax } from '../limits.ts';

/** An empty file for reading and writing, mode 0600 whatever the umask and whatever was there. */
export async function openPrivate(file: string): Promise<FileHandle> {
  const handle = await open(file, 'w+', 0o600);
  await handle.chmod(0o600);
  return handle;
}

/** Appends `length` bytes of `source`, from its byte `start` on, to `target`, in bounded memory. */
export async function copyBytes(
  source: FileHandle,
  target: FileHandle,
  start: number,
  length: number,
): Promise<void> {
  const chunk = Buffer.allocUnsafe(Math.min(logBatchBytesMax, Math.max(length, 1)));
  for (let done = 0; done < length; ) {
    const { bytesRead } = await source.read(chunk, 0, Math.min(chunk.length, length - done), start + done);
    if (bytesRead === 0) throw new Error('the file is shorter than what was written to it');
    await target.appendFile(chunk.subarray(0, bytesRead));
    done += bytesRead;
  }
}

/** Makes a rename or a new file in `folder` durable, without holding up this thread. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
