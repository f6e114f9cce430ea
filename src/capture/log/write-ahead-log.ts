import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { ToolEvent } from '../../core/event/index.ts';
import { logCommittedBytesMax, logFrontMsMax } from '../../core/limits.ts';
import {
  type DurableFile,
  Failure,
  faultNumber,
  messageOf,
  openDurable,
  syncFolderSoon,
} from '../../core/platform/index.ts';
import { copyOf, type Report, replaceWith, setAside, writeFully } from './files.ts';
import { groupOf, type Waiting } from './group.ts';
import { encodeRecord } from './record.ts';
import { Refuge } from './refuge.ts';

const logEmptyDelayMs = 100;
// While lines wait for their commit; and so often a new file is made for one that somebody takes away.
const logLookMs = 1_000;
const logMovesMax = 3;

const nothing = Buffer.alloc(0);

/**
 * The log that makes an acknowledgement true: `append` settles when the event's line is on the disk. Lines
 * that arrive while a sync is under way share the next one (group commit), so that many writers cost one sync.
 *
 * Offsets are logical: they grow over the log's life and do not restart when the file is emptied. A log that is never
 * idle is never all committed: then its committed front is dropped instead, by a copy of the rest, before it is older than
 * `logFrontMsMax`: what is forgotten must not lie here for long.
 *
 * Somebody else may replace, remove or cut the file (`sed -i`, an editor, logrotate). That is looked for before each acknowledgement,
 * and while lines wait for their commit. Then what is not committed goes to a new file, and what was found is set aside, to be taken in.
 */
export class WriteAheadLog {
  readonly #file: string;
  readonly #report: Report;
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
  /** The lines that are in the file and not committed. */
  #kept: { readonly end: number; readonly bytes: Buffer }[] = [];
  readonly #refuge: Refuge;
  /** Bytes that could not be cut off may stand behind the last good one. */
  #hasTail = false;
  /** When the file's first byte was written (`performance.now`). */
  #frontSince = 0;
  #running: Promise<void> | null = null;
  /** Nothing was committed for a moment: the file may be emptied. */
  #isQuiet = false;
  #quiet: NodeJS.Timeout | undefined;
  /** The file was checked after the group before, in the same run. */
  #isChecked = false;
  #isLookDue = false;
  #look: NodeJS.Timeout | undefined;

  private constructor(file: string, handle: DurableFile, report: Report) {
    this.#file = file;
    this.#handle = handle;
    this.#report = report;
    this.#refuge = new Refuge(file, report);
  }

  /** Opens an empty log; what a former daemon left in it must have been replayed before. */
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
    const open = this.#kept.findIndex(({ end }) => end > this.#committed);
    this.#kept.splice(0, open === -1 ? this.#kept.length : open);
    if (this.#committed - this.#base > this.#dropAbove) this.#run();
    this.#isQuiet = false;
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#becomeQuiet(), logEmptyDelayMs);
  }

  /** Settles when nothing is under way, what is committed is out of the file, and the file is closed. */
  async close(): Promise<void> {
    clearTimeout(this.#quiet);
    await this.#idle();
    this.#isLookDue = true;
    this.#becomeQuiet();
    await this.#idle();
    clearTimeout(this.#look);
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
    if (this.#isLookDue) await this.#lookAtFile();
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
      const isLonger = !this.#isChecked && this.#handle.size() > this.#end - this.#base;
      if (isLonger && !this.#hasTail) await this.#moveOn(nothing);
      await writeFully(this.#handle, bytes, this.#end - this.#base);
      await this.#settle();
      // Checked after the sync: only then is the acknowledgement true.
      if (!this.#isOurs(bytes)) await this.#moveOn(bytes);
      this.#isChecked = true;
    } catch (error) {
      // After a failed sync the kernel may have dropped the pages: the same bytes must not be synced again as if they were there.
      await this.#cutBack();
      for (const waiting of group) waiting.reject(error);
      return;
    }
    for (const waiting of group) {
      this.#end += waiting.bytes.length;
      this.#kept.push({ end: this.#end, bytes: waiting.bytes });
      waiting.resolve(this.#end);
    }
    this.#look ??= setTimeout(() => this.#lookSoon(), logLookMs).unref();
  }

  async #settle(): Promise<void> {
    await this.#handle.datasync();
    // What is written to a file whose name may not survive is not acknowledged.
    if (this.#replaced) await syncFolderSoon(path.dirname(this.#file), 'log');
    this.#replaced = false;
  }

  /** Whether the file is the one that was written to, `added` behind all else. */
  #isOurs(added: Buffer): boolean {
    const line = this.#end - this.#base;
    return this.#handle.isAsWritten(this.#file, line + added.length, line, this.#hasTail);
  }

  /** Goes on with a new file. @throws when that cannot be made, or somebody takes it away again and again: what is not committed is beside then */
  async #moveOn(added: Buffer): Promise<void> {
    try {
      await this.#replace(added);
    } catch (error) {
      await this.#refuge.take(this.#kept);
      throw error;
    }
    this.#refuge.drop();
  }

  async #replace(added: Buffer): Promise<void> {
    for (let moves = 0; moves < logMovesMax; moves += 1) {
      const aside = setAside(this.#file);
      await this.#rewrite(added);
      await this.#settle();
      const fields = { file: this.#file, again: this.#kept.length, aside: aside ?? 'nothing' };
      this.#report(
        'the log was replaced or changed by another program; what is not stored was written again',
        fields,
      );
      if (this.#isOurs(added)) return;
    }
    throw new Failure('log_replaced', `another program keeps replacing ${this.#file}`, {
      repair: 'end that program',
    });
  }

  #lookSoon(): void {
    this.#look = undefined;
    if (this.#kept.length === 0) return;
    this.#look = setTimeout(() => this.#lookSoon(), logLookMs).unref();
    this.#isLookDue = true;
    this.#run();
  }

  async #lookAtFile(): Promise<void> {
    this.#isLookDue = false;
    if (this.#kept.length === 0 || this.#isOurs(nothing)) return;
    try {
      await this.#moveOn(nothing);
    } catch (error) {
      // The next look tries again.
      this.#report('the log cannot be written anew', { error: messageOf(error) });
    }
  }

  /** Back to the last good byte, so that no later line is glued to a torn one. */
  async #cutBack(): Promise<void> {
    try {
      await this.#handle.truncate(this.#end - this.#base);
      this.#hasTail = false;
    } catch {
      this.#hasTail = true;
      // The next write starts at the same byte and covers the torn one; what is left behind it is a line of
      // its own that replay reports.
    }
  }

  async #empty(): Promise<void> {
    try {
      // What somebody has added to it is none of what is committed.
      if (!this.#isOurs(nothing)) return await this.#moveOn(nothing);
      await this.#handle.truncate(0);
      this.#hasTail = false;
      this.#base = this.#end;
    } catch {
      // Replaying committed lines is harmless; the next commit tries again.
    }
  }

  async #dropCommitted(): Promise<void> {
    try {
      if (this.#isOurs(nothing)) await this.#rewrite(nothing);
      else await this.#moveOn(nothing);
    } catch {
      // The log is as it was, only longer than need be.
      this.#dropAbove += logCommittedBytesMax;
      this.#frontSince = performance.now();
    }
  }

  /** Puts a new file in the place of what is there: all lines that are not committed, and `added`. */
  async #rewrite(added: Buffer): Promise<void> {
    // More may be committed while it is written.
    const from = this.#committed;
    const bytes = Buffer.concat([...this.#kept.map((kept) => kept.bytes), added]);
    const handle = await replaceWith(this.#file, bytes);
    const former = this.#handle;
    this.#handle = handle;
    this.#base = from;
    this.#replaced = true;
    this.#hasTail = false;
    this.#dropAbove = logCommittedBytesMax;
    this.#frontSince = performance.now();
    await former.close();
  }
}
