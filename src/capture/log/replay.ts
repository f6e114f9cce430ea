import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import type { ToolEvent } from '#core/event';
import { commitBatchMax } from '#core/limits';
import { checkOwnFile, faultPoint, openIfThere, openToAdd, syncFolder } from '#core/platform';
import { linesOf } from './lines.ts';
import { decodeRecord } from './record.ts';

/** Stores the events of a log; settles when they are durable. */
export type Commit = (events: readonly ToolEvent[]) => Promise<void>;

export interface Replayed {
  readonly events: number;
  readonly damaged: number;
}

/**
 * Commits every whole line that an earlier daemon left in the log. Damaged lines are reported in the words of the
 * specification and go to `wal-damaged.ndjson`. Committing twice is harmless: events have an identity.
 * @throws Failure `unsafe_file`: a link could lead to any file, which is emptied next
 */
export async function replayLog(
  file: string,
  commit: Commit,
  report: (message: string) => void,
): Promise<Replayed> {
  checkOwnFile(file);
  const fd = openIfThere(file, fs.constants.O_RDONLY);
  if (fd === null) return { events: 0, damaged: 0 };
  const damagedLines = damagedLinesIn(path.join(path.dirname(file), 'wal-damaged.ndjson'));
  try {
    const replayed = await replayFrom(fd, file, damagedLines, commit, report);
    // The log is emptied next: damaged lines must be durable first.
    damagedLines.sync();
    return replayed;
  } finally {
    damagedLines.close();
    fs.closeSync(fd);
  }
}

/** Empty, or erased in place. */
function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20);
}

/** A line without the leading hole of a file that was cut while a daemon wrote to it. */
function withoutHole(bytes: Buffer): Buffer {
  return bytes.subarray(
    Math.max(
      0,
      bytes.findIndex((byte) => byte !== 0),
    ),
  );
}

async function replayFrom(
  fd: number,
  file: string,
  damagedLines: ReturnType<typeof damagedLinesIn>,
  commit: Commit,
  report: (message: string) => void,
): Promise<Replayed> {
  let events = 0;
  let damaged = 0;
  let batch: ToolEvent[] = [];
  for (const line of linesOf(fd)) {
    const bytes = withoutHole(line.bytes);
    if (isBlank(bytes)) continue;
    const decoded = isUtf8(bytes)
      ? decodeRecord(bytes.toString('utf8'))
      : { error: 'SyntaxError: the line is not UTF-8' };
    if ('error' in decoded) {
      damaged += 1;
      damagedLines.add(bytes);
      report(
        `WAL replay failed: ${decoded.error} (line ${line.number} of ${file}; set aside in ${damagedLines.file})`,
      );
      continue;
    }
    events += 1;
    batch.push(decoded.event);
    if (batch.length < commitBatchMax) continue;
    faultPoint('replay.commit');
    await commit(batch);
    batch = [];
  }
  faultPoint('replay.commit');
  if (batch.length > 0) await commit(batch);
  faultPoint('replay.commit.after');
  return { events, damaged };
}

/** The file for damaged lines: created with the first one, only appended to. */
function damagedLinesIn(file: string) {
  let fd: number | null = null;
  return {
    file,
    /** Adds a line, given without its newline. */
    add: (line: Buffer): void => {
      fd ??= openToAdd(file);
      faultPoint('aside.write');
      fs.writeFileSync(fd, Buffer.concat([line, Buffer.from('\n')]));
    },
    /** Makes the added lines and the file's name durable. */
    sync: (): void => {
      if (fd === null) return;
      faultPoint('aside.sync');
      fs.fsyncSync(fd);
      syncFolder(path.dirname(file));
      faultPoint('aside.sync.after');
    },
    close: (): void => {
      if (fd !== null) fs.closeSync(fd);
      fd = null;
    },
  };
}
