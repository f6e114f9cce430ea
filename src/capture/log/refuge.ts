import path from 'node:path';
import { createDurable, messageOf, removeIfThere, syncFolderSoon } from '../../core/platform/index.ts';
import { freeAside, type Report, writeFully } from './files.ts';

/** A line that is acknowledged and not committed; `end` is the logical offset behind it. */
export interface Kept {
  readonly end: number;
  readonly bytes: Buffer;
}

/**
 * Where acknowledged lines are on the disk while the log's place is taken (by a link, a folder, another user's file): a file beside it,
 * which the next start takes in as it takes in a log that was set aside.
 */
export class Refuge {
  readonly #log: string;
  readonly #report: Report;
  #file: string | null = null;
  /** The last line that is in it. */
  #end = 0;

  constructor(log: string, report: Report) {
    this.#log = log;
    this.#report = report;
  }

  /** Keeps these lines; what is in it already is not written again. A failure is told of: what led here is the one that counts. */
  async take(lines: readonly Kept[]): Promise<void> {
    const end = lines.at(-1)?.end ?? 0;
    if (lines.length === 0 || (this.#file !== null && end <= this.#end)) return;
    try {
      const file = freeAside(this.#log);
      await write(file, Buffer.concat(lines.map(({ bytes }) => bytes)));
      this.drop();
      this.#file = file;
      this.#end = end;
      this.#report('the log has no place; what is not stored was written beside it', { file });
    } catch (error) {
      this.#report('what is not stored cannot be written beside the log', { error: messageOf(error) });
    }
  }

  /** The log has all of it again. */
  drop(): void {
    if (this.#file !== null) removeIfThere(this.#file);
    this.#file = null;
  }
}

async function write(file: string, bytes: Buffer): Promise<void> {
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
