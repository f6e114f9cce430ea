import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { ToolEvent } from '#core/event';
import { logCommittedBytesMax, logFrontMsMax } from '#core/limits';
import {
  type DurableFile,
  Failure,
  faultNumber,
  messageOf,
  openDurable,
  syncFolderSoon,
} from '#core/platform';
import { backupOf, type Line } from './backup.ts';
import { copyOf, type Report, replaceWith, setAside, writeFully } from './files.ts';
import { groupOf, type Waiting } from './group.ts';
import { encodeRecord } from './record.ts';

const logEmptyDelayMs = 100;
// How often the file is checked while lines wait for their commit.
const logCheckMs = 1_000;
const logMovesMax = 3;

const nothing = Buffer.alloc(0);

/**
 * The log that makes an acknowledgement true: `append` settles when the event's line is on the disk. Lines
 * that arrive during a sync share the next one (group commit).
 *
 * Offsets are logical: they grow over the log's life and do not restart when the file is emptied. A busy log is never all
 * committed: then a copy without the committed front replaces it within `logFrontMsMax`, so that forgotten text does not stay.
 *
 * Another program may replace, remove or cut the file (`sed -i`, an editor, logrotate). The log checks for that before each
 * acknowledgement, and while lines wait for their commit. Then the uncommitted lines go to a new file, and the found one is set aside.
 */
export class WriteAheadLog {
  readonly #file: string;
  readonly #report: Report;
  #handle: DurableFile;
  #isFolderSynced = false;
  /** From this many committed bytes on, a busy log drops its front. */
  #dropAbove = faultNumber('log.front', logCommittedBytesMax);
  #queue: Waiting[] = [];
  #queuedBytes = 0;
  /** Logical offset of the file's first byte. */
  #base = 0;
  /** Logical offset after the last synced byte. */
  #end = 0;
  #committed = 0;
  /** Lines in the file that are not committed. */
  #uncommitted: Line[] = [];
  readonly #backup: ReturnType<typeof backupOf>;
  /** Bytes of a failed write may follow the last good byte. */
  #hasTail = false;
  /** When the file's first byte was written (`performance.now`). */
  #frontSince = 0;
  #running: Promise<void> | null = null;
  /** Nothing was committed for a moment: the file may be emptied. */
  #isQuiet = false;
  #quiet: NodeJS.Timeout | undefined;
  /** The file was checked in this run of `#work`. */
  #isChecked = false;
  #isCheckDue = false;
  #check: NodeJS.Timeout | undefined;

  private constructor(file: string, handle: DurableFile, report: Report) {
    this.#file = file;
    this.#handle = handle;
    this.#report = report;
    this.#backup = backupOf(file, report);
  }

  /** Opens an empty log; replay what an earlier daemon left in it first. */
  static async openEmpty(file: string, report: Report = () => {}): Promise<WriteAheadLog> {
    await rm(copyOf(file), { force: true });
    const handle = await openDurable(file, 'log');
    await handle.datasync();
    return new WriteAheadLog(file, handle, report);
  }

  /** Bytes in the file and in the queue before it. */
  get bytes(): number {
    return this.#end - this.#base + this.#queuedBytes;
  }

  /** Lines that wait for the disk. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Settles with the offset after the event's line once it is synced; rejects when it is not in the log. */
  append(event: ToolEvent): Promise<number> {
    const bytes = Buffer.from(encodeRecord(event));
    this.#queuedBytes += bytes.length;
    return new Promise((resolve, reject) => {
      this.#queue.push({ bytes, resolve, reject });
      this.#run();
    });
  }

  /**
   * Everything before `offset` is in the database. When that is all, the file is emptied, after a delay: the first
   * sync of an emptied file takes longer.
   */
  committed(offset: number): void {
    this.#committed = Math.max(this.#committed, offset);
    const open = this.#uncommitted.findIndex(({ end }) => end > this.#committed);
    this.#uncommitted.splice(0, open === -1 ? this.#uncommitted.length : open);
    if (this.#committed - this.#base > this.#dropAbove) this.#run();
    this.#isQuiet = false;
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#becomeQuiet(), logEmptyDelayMs);
  }

  async close(): Promise<void> {
    clearTimeout(this.#quiet);
    await this.#idle();
    this.#isCheckDue = true;
    this.#becomeQuiet();
    await this.#idle();
    clearTimeout(this.#check);
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
    this.#isChecked = false;
    while (this.#queue.length > 0) {
      const group = groupOf(this.#queue);
      this.#queuedBytes -= group.reduce((sum, { bytes }) => sum + bytes.length, 0);
      await this.#writeGroup(group);
      if (this.#isFrontDue()) await this.#dropCommitted();
    }
    if (this.#isCheckDue) await this.#checkFile();
    if (this.#isQuiet && this.#committed === this.#end && this.#end > this.#base) await this.#empty();
  }

  #isFrontDue(): boolean {
    const bytes = this.#committed - this.#base;
    return bytes > this.#dropAbove || (bytes > 0 && performance.now() - this.#frontSince > logFrontMsMax);
  }

  async #writeGroup(group: readonly Waiting[]): Promise<void> {
    const bytes = Buffer.concat(group.map((waiting) => waiting.bytes));
    if (this.#end === this.#base) this.#frontSince = performance.now();
    try {
      // Another program's lines are not overwritten.
      const isLonger = !this.#isChecked && this.#handle.stat().size > this.#end - this.#base;
      if (isLonger && !this.#hasTail) await this.#moveOn(nothing);
      await writeFully(this.#handle, bytes, this.#end - this.#base);
      await this.#settle();
      // Checked after the sync: only then is the acknowledgement true.
      if (!this.#isIntact(bytes)) await this.#moveOn(bytes);
      this.#isChecked = true;
    } catch (error) {
      // After a failed sync the kernel may have dropped the pages: a second sync of the same bytes proves nothing.
      await this.#cutBack();
      for (const waiting of group) waiting.reject(error);
      return;
    }
    for (const waiting of group) {
      this.#end += waiting.bytes.length;
      this.#uncommitted.push({ end: this.#end, bytes: waiting.bytes });
      waiting.resolve(this.#end);
    }
    this.#check ??= setTimeout(() => this.#startCheck(), logCheckMs).unref();
  }

  async #settle(): Promise<void> {
    await this.#handle.datasync();
    // A line is not acknowledged before the file's name is durable.
    if (!this.#isFolderSynced) await syncFolderSoon(path.dirname(this.#file), 'log');
    this.#isFolderSynced = true;
  }

  /** Whether the path still names our file, with `added` at its end. */
  #isIntact(added: Buffer): boolean {
    const line = this.#end - this.#base;
    return this.#handle.isAsWritten(this.#file, line + added.length, line, this.#hasTail);
  }

  /** Continues with a new file. @throws when that fails; then the uncommitted lines are in a backup file */
  async #moveOn(added: Buffer): Promise<void> {
    try {
      await this.#replace(added);
    } catch (error) {
      await this.#backup.write(this.#uncommitted);
      throw error;
    }
    this.#backup.remove();
  }

  async #replace(added: Buffer): Promise<void> {
    for (let moves = 0; moves < logMovesMax; moves += 1) {
      const aside = setAside(this.#file);
      await this.#rewrite(added);
      await this.#settle();
      const fields = { file: this.#file, again: this.#uncommitted.length, aside: aside ?? 'nothing' };
      this.#report(
        'another program replaced or changed the log; the calls that are not stored were written again',
        fields,
      );
      if (this.#isIntact(added)) return;
    }
    throw new Failure('log_replaced', `another program keeps replacing ${this.#file}`, {
      repair: 'end that program',
    });
  }

  #startCheck(): void {
    this.#check = undefined;
    if (this.#uncommitted.length === 0) return;
    this.#check = setTimeout(() => this.#startCheck(), logCheckMs).unref();
    this.#isCheckDue = true;
    this.#run();
  }

  async #checkFile(): Promise<void> {
    this.#isCheckDue = false;
    if (this.#uncommitted.length === 0 || this.#isIntact(nothing)) return;
    try {
      await this.#moveOn(nothing);
    } catch (error) {
      // The next look tries again.
      this.#report('the log cannot be rewritten', { error: messageOf(error) });
    }
  }

  /** Cuts the file after the last good byte, so that no later line joins a torn one. */
  async #cutBack(): Promise<void> {
    try {
      await this.#handle.truncate(this.#end - this.#base);
      this.#hasTail = false;
    } catch {
      this.#hasTail = true;
      // The next write starts at the same byte; the rest of the torn line is one that replay reports.
    }
  }

  async #empty(): Promise<void> {
    try {
      // Another program's lines are not committed.
      if (!this.#isIntact(nothing)) return await this.#moveOn(nothing);
      await this.#handle.truncate(0);
      this.#hasTail = false;
      this.#base = this.#end;
    } catch {
      // Replaying committed lines is harmless; the next commit tries again.
    }
  }

  async #dropCommitted(): Promise<void> {
    try {
      if (this.#isIntact(nothing)) await this.#rewrite(nothing);
      else await this.#moveOn(nothing);
    } catch {
      // The log is intact, only longer.
      this.#dropAbove += logCommittedBytesMax;
      this.#frontSince = performance.now();
    }
  }

  /** Replaces the file by one with all uncommitted lines and `added`. */
  async #rewrite(added: Buffer): Promise<void> {
    // More may be committed during the write.
    const from = this.#committed;
    const bytes = Buffer.concat([...this.#uncommitted.map(({ bytes: line }) => line), added]);
    const handle = await replaceWith(this.#file, bytes);
    const former = this.#handle;
    this.#handle = handle;
    this.#base = from;
    this.#isFolderSynced = false;
    this.#hasTail = false;
    this.#dropAbove = logCommittedBytesMax;
    this.#frontSince = performance.now();
    await former.close();
  }
}
