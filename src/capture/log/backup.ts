import path from 'node:path';
import { createDurable, messageOf, removeIfThere, syncFolderSoon } from '#core/platform';
import { freeAside, type Report, writeFully } from './files.ts';

/** An acknowledged line; `end` is the logical offset after it. */
export interface Line {
  readonly end: number;
  readonly bytes: Buffer;
}

/**
 * Keeps acknowledged lines in another file while the log's path is blocked (by a link, a folder, another user's
 * file). The next start imports it like a log that was set aside.
 */
export function backupOf(log: string, report: Report) {
  let file: string | null = null;
  /** The last line that is in it. */
  let writtenEnd = 0;
  /** For when the log has all lines again. */
  const remove = (): void => {
    if (file !== null) removeIfThere(file);
    file = null;
  };
  return {
    remove,
    /** Writes the lines that it does not hold yet. Reports a failure: the caller throws the first one. */
    write: async (lines: readonly Line[]): Promise<void> => {
      const end = lines.at(-1)?.end ?? 0;
      if (lines.length === 0 || (file !== null && end <= writtenEnd)) return;
      try {
        const free = freeAside(log);
        await writeDurable(free, Buffer.concat(lines.map(({ bytes }) => bytes)));
        remove();
        [file, writtenEnd] = [free, end];
        const words = 'the log cannot be written; the calls that are not stored were written to another file';
        report(words, { file });
      } catch (error) {
        const words = 'the calls that are not stored cannot be written to another file';
        report(words, { error: messageOf(error) });
      }
    },
  };
}

async function writeDurable(file: string, bytes: Buffer): Promise<void> {
  const handle = await createDurable(file, 'refuge');
  try {
    await writeFully(handle, bytes, 0);
    await handle.datasync();
  } catch (error) {
    // Half of it would be read as damaged.
    removeIfThere(file);
    throw error;
  } finally {
    await handle.close();
  }
  await syncFolderSoon(path.dirname(file), 'refuge');
}
