import path from 'node:path';
import { createDurable, messageOf, removeIfThere, syncFolderSoon } from '../../core/platform/index.ts';
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
export class Backup {
  readonly #log: string;
  readonly #report: Report;
  #file: string | null = null;
  /** The last line that is in it. */
  #end = 0;

  constructor(log: string, report: Report) {
    this.#log = log;
    this.#report = report;
  }

  /** Writes the lines that it does not hold yet. Reports a failure: the caller throws the first one. */
  async write(lines: readonly Line[]): Promise<void> {
    const end = lines.at(-1)?.end ?? 0;
    if (lines.length === 0 || (this.#file !== null && end <= this.#end)) return;
    try {
      const file = freeAside(this.#log);
      await writeDurable(file, Buffer.concat(lines.map(({ bytes }) => bytes)));
      this.remove();
      this.#file = file;
      this.#end = end;
      this.#report('the log cannot be written; the calls that are not stored were written to another file', {
        file,
      });
    } catch (error) {
      this.#report('the calls that are not stored cannot be written to another file', {
        error: messageOf(error),
      });
    }
  }

  /** For when the log has all lines again. */
  remove(): void {
    if (this.#file !== null) removeIfThere(this.#file);
    this.#file = null;
  }
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
