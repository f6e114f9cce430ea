import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { ToolEvent } from '../event/index.ts';
import { logBatchBytesMax, logCommittedBytesMax, logEmptyDelayMs, logFrontMsMax } from '../limits.ts';
import {
  type DurableFile,
  faultNumber,
  openDurable,
  renameDurable,
  syncFolderSoon,
} from '../platform/index.ts';
import { copyBytes, writeFully } from './files.ts';
import { encodeRecord } from './record.ts';

interface Waiting {
  readonly bytes: Buffer;
  readonly resolve: (end: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The log that makes an acknowledgement true: `append` settles when the event's line is on the disk. Lines
 * that arrive while a sync is under way share the next one (group commit), so that many writers cost one sync.
 *
 * Offsets are logical: they grow over the log's life and do not restart when the file is emptied. A log that is never
 * idle is never all committed: then its committed front is dropped instead, by a copy of the rest, before it is older than
 * `logFrontMsMax`: what is forgotten must not lie here for long.
 */
export class WriteAheadLog {
  readonly #file: string;
  #handle: DurableFile;
  /** A copy has taken the file's place, and the folder has not been synced since. */
  #replaced = true;
  /** So many committed bytes at the file's front are dropped while the log is busy. */
  #dropAbove = faultNumber('log.front', logCommittedBytesMax);
  #queue: Waiting[] = [];
  #queuedBytes = 0;
  /** Logical offset of the file's first byte. */
  #base = 0;
  /** Logical offset behind the last byte that is known to be on the disk. */
  #end = 0;
  #committed = 0;
  /** When the file's first byte was written (`performance.now`). */
  #frontSince = 0;
  #running: Promise<void> | null = null;
  /** Nothing was committed for a moment: the file may be emptied. */
  #isQuiet = false;
  #quiet: NodeJS.Timeout | undefined;

  private constructor(file: string, handle: DurableFile) {
    this.#file = file;
    this.#handle = handle;
  }

  /** Opens an empty log; what a former daemon left in it must have been replayed before. */
  static async openEmpty(file: string): Promise<WriteAheadLog> {
    await rm(copyOf(file), { force: true });
    const handle = await openDurable(file, 'log');
    await handle.datasync();
    return new WriteAheadLog(file, handle);
  }

  /** Bytes in the file and in the queue before it. */
  get bytes(): number {
    return this.#end - this.#base + this.#queuedBytes;
  }

  /** Lines that wait for the disk. */
  get waiting(): number {
    return this.#queue.length;
  }

  /**
   * Settles with the offset behind the event's line once it is synced; rejects when it could not be written or
   * synced, and then it is not in the log.
   */
  append(event: ToolEvent): Promise<number> {
    const bytes = Buffer.from(encodeRecord(event));
    this.#queuedBytes += bytes.length;
    return new Promise((resolve, reject) => {
      this.#queue.push({ bytes, resolve, reject });
      this.#run();
    });
  }

  /**
   * Everything before `offset` is committed elsewhere; when that is all there is, the file is emptied, a moment later:
   * the sync of a line that grows an emptied file takes longer than that of one more line.
   */
  committed(offset: number): void {
    this.#committed = Math.max(this.#committed, offset);
    if (this.#committed - this.#base > this.#dropAbove) this.#run();
    this.#isQuiet = false;
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#becomeQuiet(), logEmptyDelayMs);
  }

  /** Settles when nothing is under way, what is committed is out of the file, and the file is closed. */
  async close(): Promise<void> {
    clearTimeout(this.#quiet);
    await this.#idle();
    this.#becomeQuiet();
    await this.#idle();
    await this.#handle.close();
  }

  async #idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  #becomeQuiet(): void {
    this.#isQuiet = true;
    this.#run();
  }

  #run(): void {
    this.#running ??= this.#work().finally(() => {
      this.#running = null;
      if (this.#queue.length > 0) this.#run();
    });
  }

  async #work(): Promise<void> {
    // All captures of this moment join the first group.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      await this.#writeGroup(this.#takeGroup());
      if (this.#isFrontDue()) await this.#dropCommitted();
    }
    if (this.#isQuiet && this.#committed === this.#end && this.#end > this.#base) await this.#empty();
  }

  #isFrontDue(): boolean {
    const bytes = this.#committed - this.#base;
    return bytes > this.#dropAbove || (bytes > 0 && performance.now() - this.#frontSince > logFrontMsMax);
  }

  #takeGroup(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const waiting of this.#queue) {
      if (count > 0 && bytes + waiting.bytes.length > logBatchBytesMax) break;
      bytes += waiting.bytes.length;
      count += 1;
    }
    this.#queuedBytes -= bytes;
    return this.#queue.splice(0, count);
  }

  async #writeGroup(group: readonly Waiting[]): Promise<void> {
    const bytes = Buffer.concat(group.map((waiting) => waiting.bytes));
    if (this.#end === this.#base) this.#frontSince = performance.now();
    try {
      await writeFully(this.#handle, bytes, this.#end - this.#base);
      await this.#handle.datasync();
      // What is written to a file whose name may not survive is not acknowledged.
      if (this.#replaced) await syncFolderSoon(path.dirname(this.#file), 'log');
      this.#replaced = false;
    } catch (error) {
      // After a failed sync the kernel may have dropped the pages: nothing of this group can be promised, and
      // the same bytes must not be synced again as if they could.
      await this.#cutBack();
      for (const waiting of group) waiting.reject(error);
      return;
    }
    for (const waiting of group) {
      this.#end += waiting.bytes.length;
      waiting.resolve(this.#end);
    }
  }

  /** Back to the last good byte, so that no later line is glued to a torn one. */
  async #cutBack(): Promise<void> {
    try {
      await this.#handle.truncate(this.#end - this.#base);
    } catch {
      // The next write starts at the same byte and covers the torn one; what is left behind it is a line of
      // its own that replay reports.
    }
  }

  async #empty(): Promise<void> {
    try {
      await this.#handle.truncate(0);
      this.#base = this.#end;
    } catch {
      // Replaying committed lines is harmless; the next commit tries again.
    }
  }

  async #dropCommitted(): Promise<void> {
    const copy = copyOf(this.#file);
    // More may be committed while the copy is made.
    const from = this.#committed;
    let handle: DurableFile | null = null;
    try {
      handle = await openDurable(copy, 'copy');
      await copyBytes(this.#handle, handle, from - this.#base, this.#end - from);
      await handle.datasync();
      await renameDurable(copy, this.#file, 'log');
    } catch {
      // The log is as it was, only longer than need be. Half a copy would take room, and keep what is forgotten meanwhile.
      await handle?.close();
      await rm(copy, { force: true }).catch(() => {
        // The next start removes it.
      });
      this.#dropAbove += logCommittedBytesMax;
      this.#frontSince = performance.now();
      return;
    }
    const former = this.#handle;
    this.#handle = handle;
    this.#base = from;
    this.#replaced = true;
    this.#dropAbove = logCommittedBytesMax;
    this.#frontSince = performance.now();
    await former.close();
  }
}

function copyOf(file: string): string {
  return `${file}.next`;
}
