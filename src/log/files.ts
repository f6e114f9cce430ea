import { logBatchBytesMax } from '../limits.ts';
import type { DurableFile } from '../platform/index.ts';

/** Writes all of `bytes` from the file's byte `position` on. */
export async function writeFully(file: DurableFile, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** Copies `length` bytes of `source`, from its byte `start` on, to the front of `target`, in bounded memory. */
export async function copyBytes(
  source: DurableFile,
  target: DurableFile,
  start: number,
  length: number,
): Promise<void> {
  const chunk = Buffer.allocUnsafe(Math.min(logBatchBytesMax, Math.max(length, 1)));
  for (let done = 0; done < length; ) {
    const { bytesRead } = await source.read(chunk, 0, Math.min(chunk.length, length - done), start + done);
    if (bytesRead === 0) throw new Error('the file is shorter than what was written to it');
    await writeFully(target, chunk.subarray(0, bytesRead), done);
    done += bytesRead;
  }
}
