import path from 'node:path';
import { archiveChunkBytes } from '../limits.ts';
import {
  type DurableFile,
  openDurable,
  removeIfThere,
  renameDurable,
  syncFolderSoon,
} from '../platform/index.ts';

/**
 * Writes lines to a file that is there as a whole or not at all, mode 0600, in bounded memory: beside it, synced,
 * renamed, the folder synced. When this settles the file survives a loss of power.
 */
export async function writeLines(file: string, lines: Iterable<string>): Promise<void> {
  const beside = `${file}.${process.pid}.tmp`;
  const target = await openDurable(beside, 'archive');
  try {
    try {
      await writeAll(target, lines);
      await target.datasync();
    } finally {
      await target.close();
    }
    await renameDurable(beside, file, 'archive');
  } catch (error) {
    removeIfThere(beside);
    throw error;
  }
  await syncFolderSoon(path.dirname(file), 'archive');
}

async function writeAll(target: DurableFile, lines: Iterable<string>): Promise<void> {
  let position = 0;
  let chunk: string[] = [];
  let chars = 0;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(chunk.join(''));
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await target.write(bytes, done, bytes.length - done, position + done);
      done += bytesWritten;
    }
    position += bytes.length;
    chunk = [];
    chars = 0;
  };
  for (const line of lines) {
    chunk.push(line, '\n');
    chars += line.length + 1;
    if (chars >= archiveChunkBytes) await flush();
  }
  await flush();
}
